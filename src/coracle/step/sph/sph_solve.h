// The velocities at the end of a step: liquid, then what it touches.
//
// With C(x) the barrier's energy of particles and the domain's sides (step/contact/barrier.h), the step
//     min ½‖u − v̂‖²_M + P(u) + C(xⁿ + h u)                      v̂ = vⁿ + h g,  P: sph_system.h
// is split, in the form `delta`, into two phases [Xie23 ch. 5]:
//     F   min ½‖u − v̂‖²_M + P(u) + Ĉ(xⁿ + h u)                  Ĉ: C to second order about xⁿ; one linear solve
//     S   min ½‖w − u‖²_M + C(xⁿ + h w) − h ∇Ĉ(xⁿ + h u)·w      every particle by itself
// so that the force of contact in the whole step is −∇C(xⁿ⁺¹).
//
// Differs from the paper: it has half of C in each phase (`two_phase`). Then viscosity does not feel the half that S
// has, and viscous liquid spreads twice as fast.
#pragma once

#include "coracle/step/body/step_work.h"
#include "coracle/step/sph/sph_system.h"
#include "coracle/step/sph/sph_work.h"

#include <string>
#include <utility>
#include <vector>

namespace coracle {

struct SphSolve {
  bool ok = true;
  std::string trouble;
  int cg_iterations = 0, newton_iterations = 0;
  double residual = 0;          // of conjugate gradients
  double min_distance = 0;      // m, of a particle to a side within its reach; the reach if there is none
  double j_min = 1, j_max = 1;  // J at the end of the step
  std::vector<std::pair<std::string, double>> phases;  // s
};

// The options of a scene as the system takes them.
std::vector<SphMaterial> sph_materials(const Scene& scene);
SphForm sph_form(const Scene& scene);
// m: nearer surfaces repel a particle.
double sph_reach(const Scene& scene, const Grid& grid);

// Sets liquid.v. Positions stay. Takes work.pairs, those of the present positions. Particles inside inflows keep their
// velocity.
[[nodiscard]] SphSolve solve_sph(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work,
                                 double dt);

}  // namespace coracle
