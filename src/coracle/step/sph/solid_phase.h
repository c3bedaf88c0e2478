// The bodies' phase [Xie23 eqs. 5.4–5.6]: bodies, with elasticity and all their contacts, together with the particles
// that may touch them. Velocities minimise
//     Σ m/(2h) |v − u|² + [Ψ + C_ss + s C_sf](x + h v)/h − f·v
// with u the velocities after the liquid's phase, s the share of the contact that this phase takes, and f the force of
// the model of contact that was in that phase and is taken out again (delta), or none (the paper's halves).
//
// It is the equation of motion of bodies (body/body_problem.h), with the particles as a further body that has no
// elements. Their blocks are eliminated before the solve (solve/leaves.h).
#pragma once

#include "coracle/step/body/step_work.h"
#include "coracle/step/sph/touches.h"

namespace coracle {

struct CoupledParticles {
  std::vector<Vec3> x, v;           // m, m/s: u
  std::vector<double> mass, kappa;  // kg; N, κ s_q
  std::vector<Vec3> force;          // N, f
};

// A copy of the world's bodies, with the particles as the last of them.
class BodiesWithParticles {
 public:
  BodiesWithParticles(const Scene& scene, const World& world, const CoupledParticles& particles, const TouchLaw& law,
                      double dt, double near_enough);
  BodyStep step(const Vec3& gravity_dv) const;
  std::vector<Body>& bodies() { return world_.bodies; }
  // The solution goes to the world.
  void finish(BodyProblem& problem, const NodeField& v, World& world, StepWork& step);
  void take_over(std::vector<NodeField> motion, World& world, StepWork& step);

 private:
  ElasticOptions options_;
  ContactOptions contact_;
  LoosePoints loose_;
  World world_;
  bool has_particles_;
  double dt_, near_enough_;
};

// What acts in the phase besides inertia and the particles' contact.
struct SolidTerms {
  bool elastic = true;  // elasticity and damping
  double surfaces = 1;  // the share of the contact of surfaces with each other
};

struct SolidPhase {
  BodySolve solve;
  std::vector<Vec3> v;  // m/s, of the particles
};

// `world`: its bodies have the velocities u; they get those of the end. `node_force`: f of the nodes.
SolidPhase solve_solid_phase(const Scene& scene, World& world, const CoupledParticles& particles,
                             const std::vector<Vec3>& node_force, const TouchLaw& law, double dt, double near_enough,
                             const SolidTerms& terms, StepWork& step, BodySystem& system);

}  // namespace coracle
