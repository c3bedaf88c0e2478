#include "coracle/step/sph/solid_phase.h"

#include "coracle/step/body/body_solve.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr int most_iterations = 100;
// The scale of velocities is near_enough over this, whatever elastic.tolerance is: Newton's method takes changes that
// are small beside the scale without a descent.
constexpr double share_of_scale = 1e-3;

Body as_body(const CoupledParticles& particles) {
  auto rest = std::make_shared<BodyRest>();
  rest->x = particles.x;
  rest->mass = particles.mass;
  for (std::size_t i = 0; i < particles.x.size(); ++i) rest->skin.nodes.push_back(int(i));
  rest->options.name = "liquid";
  return {.name = "liquid",
          .rest = std::move(rest),
          .x = particles.x,
          .v = particles.v,
          .energy = {},
          .controls = {},
          .pull = {}};
}

}  // namespace

BodiesWithParticles::BodiesWithParticles(const Scene& scene, const World& world, const CoupledParticles& particles,
                                         const TouchLaw& law, double dt, double near_enough)
    : options_(scene.elastic),
      contact_(scene.contact),
      loose_{.reach = law.reach, .friction = law.friction, .kappa = particles.kappa},
      world_{.clock = world.clock,
             .domain = world.domain,
             .solids = world.solids,
             .bodies = world.bodies,
             .ties = world.ties,
             .fluid = NoFluid{}},
      has_particles_(!particles.x.empty()),
      dt_(dt),
      near_enough_(near_enough) {
  options_.integrator = Integrator::backward_euler;
  options_.newton = true;
  options_.tolerance = share_of_scale;
  options_.max_iterations = std::max(options_.max_iterations, most_iterations);
  contact_.kind = ContactKind::barrier;
  for (double& kappa : loose_.kappa) kappa *= law.share;
  if (has_particles_) world_.bodies.push_back(as_body(particles));
}

BodyStep BodiesWithParticles::step(const Vec3& gravity_dv) const {
  return {.options = options_,
          .contact = contact_,
          .world = world_,
          .trees = {},
          .dt = dt_,
          .gravity_dv = gravity_dv,
          .loose = has_particles_ ? &loose_ : nullptr,
          .near_enough = near_enough_};
}

void BodiesWithParticles::take_over(std::vector<NodeField> motion, World& world, StepWork& step) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    world.bodies[b].v = world_.bodies[b].v;
    world.bodies[b].energy = world_.bodies[b].energy;
  }
  motion.resize(world.bodies.size());
  step.body_motion = std::move(motion);
}

void BodiesWithParticles::finish(BodyProblem& problem, const NodeField& v, World& world, StepWork& step) {
  std::vector<NodeField> motion;
  problem.finish(v, world_.bodies, motion);
  take_over(std::move(motion), world, step);
}

SolidPhase solve_solid_phase(const Scene& scene, World& world, const CoupledParticles& particles,
                             const std::vector<Vec3>& node_force, const TouchLaw& law, double dt, double near_enough,
                             const SolidTerms& terms, StepWork& step, BodySystem& system) {
  BodiesWithParticles with(scene, world, particles, law, dt, near_enough);
  NodeField force = node_force;
  force.insert(force.end(), particles.force.begin(), particles.force.end());
  BodySystem& used = particles.x.empty() ? step.bodies : system;
  used.matrix.set_leaves(int(particles.x.size()));
  SolidPhase phase;
  std::vector<NodeField> motion;
  BodyStep body_step = with.step(Vec3::Zero());
  body_step.elastic = body_step.damped = terms.elastic;
  body_step.loaded = false;  // the liquid's phase has added the forces to the velocities
  body_step.contact_share = terms.surfaces;
  body_step.weight_per_mass = scene.gravity.norm();
  phase.solve = solve_bodies(body_step, used, with.bodies(), motion, &force);
  if (!phase.solve.ok) return phase;
  if (!particles.x.empty()) phase.v = with.bodies().back().v;
  with.take_over(std::move(motion), world, step);
  return phase;
}

}  // namespace coracle
