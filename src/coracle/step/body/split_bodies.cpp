#include "coracle/step/body/split_bodies.h"

#include "coracle/world/bodies.h"

namespace coracle {

ContactModel contact_model(const World& world, const ContactOptions& options, ContactMesh& mesh, double share,
                           double dt, const Vec3& gravity) {
  if (share == 0 || world.bodies.empty()) return {};
  const NodeField x = node_positions(world.bodies), v = node_velocities(world.bodies);
  return BarrierContacts(world, options, mesh, x, v, 0, 1, dt, gravity.norm(), nullptr, share).model(v);
}

BodySolve solve_split_bodies(const BodyStep& step, double share, BodySystem& elastic, BodySystem& contact,
                             std::vector<Body>& bodies, std::vector<NodeField>& motion) {
  const ContactModel model =
      contact_model(step.world, step.contact, contact.contact_mesh, share, step.dt, step.gravity_dv / step.dt);
  BodyStep first = step;
  first.contact = no_contact;
  first.model = &model;
  const BodySolve stretched = solve_bodies(first, elastic, bodies, motion);
  if (!stretched.ok) return stretched;
  BodyStep second = step;
  second.gravity_dv = Vec3::Zero();
  second.weight_per_mass = step.gravity_dv.norm() / step.dt;
  second.elastic = second.damped = second.loaded = false;
  second.contact_share = 1 - share;
  BodySolve solve = solve_bodies(second, contact, bodies, motion);
  solve.iterations += stretched.iterations;
  solve.assembly_s += stretched.assembly_s;
  solve.factor_s += stretched.factor_s;
  solve.notes.insert(solve.notes.begin(), stretched.notes.begin(), stretched.notes.end());
  return solve;
}

}  // namespace coracle
