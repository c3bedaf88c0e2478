#include "coracle/step/sph/elastic_phase.h"

#include "coracle/step/body/split_bodies.h"
#include "coracle/world/bodies.h"

#include <Eigen/LU>

namespace coracle {
namespace {

// A touch with the velocities of what is given put in; its particle is node `particle`.
ModelTerm as_model(const Touch& t, double share, int particle, const PhaseNodes& nodes, double dt) {
  const int bodies = int(nodes.mass.size());
  ModelTerm m;
  m.node[0] = particle;
  m.hessian = share * t.barrier.hessian;
  for (int i = 0; i < t.vertices(); ++i) {
    m.gradient[i] = share * t.barrier.gradient[i];
    for (int j = 0; j < t.vertices(); ++j)
      m.hessian.block<3, 3>(3 * i, 3 * j) += share * t.weight[i] * t.weight[j] * t.drag;
  }
  for (int j = 1; j < t.vertices(); ++j) {
    const int vertex = t.vertex[j - 1];
    if (vertex < bodies) {
      m.node[j] = vertex;
      continue;
    }
    for (int i = 0; i < 4; ++i)
      m.gradient[i] += dt * m.hessian.block<3, 3>(3 * i, 3 * j) * nodes.given[vertex - bodies];
  }
  return m;
}

bool touches_body(const Touch& t, const PhaseNodes& nodes) {
  return t.vertex[0] >= 0 && t.vertex[0] < int(nodes.mass.size());
}

}  // namespace

ElasticPhase solve_elastic_phase(const Scene& scene, World& world, const std::vector<Vec3>& x, const SphSystem& system,
                                 const FluidPhase& fluid, const std::vector<Touch>& touches, double share,
                                 double surfaces, const PhaseNodes& nodes, ContactMesh& mesh, double near_enough,
                                 StepWork& step, BodySystem& bodies) {
  const double h = system.dt;
  ElasticPhase phase{.solve = {}, .particles = fluid.particles, .nodes = fluid.nodes};
  ContactModel model = contact_model(world, scene.contact, mesh, surfaces, h, scene.gravity);
  std::size_t at = 0;
  for (Body& body : world.bodies)
    for (Vec3& v : body.v) v = fluid.nodes[at++];

  // Touches are ordered by particle. One that touches a body is solved with the bodies, one that does not alone.
  CoupledParticles coupled;
  std::vector<std::size_t> of;
  for (std::size_t begin = 0, end = 0; begin < touches.size() && share > 0; begin = end) {
    const std::size_t q = touches[begin].particle;
    bool with_body = false;
    for (; end < touches.size() && touches[end].particle == q; ++end)
      with_body = with_body || touches_body(touches[end], nodes);
    if (with_body) {
      for (std::size_t k = begin; k < end; ++k)
        model.push_back(as_model(touches[k], share, int(nodes.mass.size() + of.size()), nodes, h));
      of.push_back(q);
      coupled.x.push_back(x[q]);
      coupled.v.push_back(fluid.particles[q]);
      coupled.mass.push_back(system.mass[q]);
      continue;
    }
    Mat3 b = system.mass[q] / h * Mat3::Identity();
    Vec3 f = system.mass[q] / h * fluid.particles[q];
    for (std::size_t k = begin; k < end; ++k) {
      const ModelTerm m = as_model(touches[k], share, 0, nodes, h);
      b += h * m.hessian.block<3, 3>(0, 0);
      f -= m.gradient[0];
    }
    phase.particles[q] = b.inverse() * f;
  }
  if (world.bodies.empty()) return phase;

  BodiesWithParticles with(scene, world, coupled, TouchLaw{}, h, near_enough);
  bodies.matrix.set_leaves(int(of.size()));
  BodyStep body_step = with.step(Vec3::Zero());
  body_step.contact = no_contact;
  body_step.loose = nullptr;
  body_step.model = &model;
  std::vector<NodeField> motion;
  phase.solve = solve_bodies(body_step, bodies, with.bodies(), motion);
  if (!phase.solve.ok) return phase;
  for (std::size_t k = 0; k < of.size(); ++k) phase.particles[of[k]] = with.bodies().back().v[k];
  with.take_over(std::move(motion), world, step);
  phase.nodes = node_velocities(world.bodies);
  return phase;
}

}  // namespace coracle
