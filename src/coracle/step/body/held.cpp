#include "coracle/step/body/held.h"

#include "coracle/world/bodies.h"
#include "coracle/world/motion.h"

namespace coracle {

std::vector<BlockSolver::Fixed> held_velocities(const std::vector<Body>& bodies, double time, double dt) {
  const std::vector<int> first = first_nodes(bodies);
  std::vector<BlockSolver::Fixed> held;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyRest& rest = *bodies[b].rest;
    std::vector<std::vector<Vec3>> now(rest.motions.size()), then(rest.motions.size());
    std::vector<Vec3> unused;
    for (std::size_t m = 0; m < rest.motions.size(); ++m) {
      apply_motions(rest.motions[m], time, rest.x, now[m], unused);
      apply_motions(rest.motions[m], time + dt, rest.x, then[m], unused);
    }
    for (const Hold& hold : rest.holds) {
      Vec3 move = Vec3::Zero();
      for (const Hold::Direction& d : hold.directions)
        if (d.motion >= 0) move += d.along * d.along.dot(then[d.motion][hold.node] - now[d.motion][hold.node]) / dt;
      held.push_back({.node = first[b] + hold.node, .free = hold.free, .value = move});
    }
  }
  return held;
}

}  // namespace coracle
