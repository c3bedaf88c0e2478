// Forces on the nodes of a body that a program has set (body.h, BodyControls).
#pragma once

#include "coracle/body.h"

#include <vector>

namespace coracle {

// v ← v + dt f / m at `first` + node. Nodes without mass bear no force.
inline void add_load_dv(const Body& body, double dt, int first, std::vector<Vec3>& v) {
  const std::vector<Vec3>& force = body.controls.force;
  for (std::size_t i = 0; i < force.size(); ++i)
    if (body.rest->mass[i] > 0) v[first + i] += dt / body.rest->mass[i] * force[i];
}

}  // namespace coracle
