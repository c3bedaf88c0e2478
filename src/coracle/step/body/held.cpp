#include "coracle/step/body/held.h"

#include "coracle/world/bodies.h"
#include "coracle/world/motion.h"

#include <algorithm>

namespace coracle {

Vec3 way(const Shift& shift, double time) {
  if (time >= shift.end) return shift.to;
  return shift.from + (shift.to - shift.from) * std::max(0.0, (time - shift.start) / (shift.end - shift.start));
}

std::vector<BlockSolver::Fixed> held_velocities(const std::vector<Body>& bodies, double time, double dt) {
  const std::vector<int> first = first_nodes(bodies);
  std::vector<BlockSolver::Fixed> held;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyRest& rest = *bodies[b].rest;
    std::vector<std::vector<Vec3>> now(rest.motions.size()), then(rest.motions.size());
    std::vector<Vec3> unused;
    for (std::size_t m = 0; m < rest.motions.size(); ++m) {
      if (rest.motions[m].empty()) continue;
      apply_motions(rest.motions[m], time, rest.x, now[m], unused);
      apply_motions(rest.motions[m], time + dt, rest.x, then[m], unused);
    }
    const std::vector<Shift>& shifts = bodies[b].controls.shifts;
    for (const Hold& hold : rest.holds) {
      Vec3 move = Vec3::Zero();
      for (const Hold::Direction& d : hold.directions) {
        if (!rest.motions[d.motion].empty())
          move += d.along * d.along.dot(then[d.motion][hold.node] - now[d.motion][hold.node]) / dt;
        if (!shifts.empty())
          move += d.along * d.along.dot(way(shifts[d.motion], time + dt) - way(shifts[d.motion], time)) / dt;
      }
      held.push_back({.node = first[b] + hold.node, .free = hold.free, .value = move});
    }
  }
  return held;
}

}  // namespace coracle
