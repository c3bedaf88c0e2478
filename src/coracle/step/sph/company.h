// What the particles come near in a step: it says with whom each of them is solved.
#pragma once

#include "coracle/step/sph/touches.h"

#include <cstdint>
#include <vector>

namespace coracle {

struct Company {
  enum Kind : std::uint8_t { none, given, bodies };  // sides and solids, or bodies as well
  Kind kind = none;
  std::vector<int> triangles;  // of the mesh, sorted
};

// Where everything is at the start and, as far as is known, at the end of a step.
struct Ways {
  const std::vector<Vec3>& x;  // m, particles
  const std::vector<Vec3>& v;  // m/s
  double dt;
  const std::vector<Vec3>& from;  // m, vertices of the mesh
  const std::vector<Vec3>& to;
  const std::vector<std::uint8_t>& held;  // particles that touch nothing
};

// All that comes as near as `room` on the predicted ways.
std::vector<Company> find_company(ContactMesh& mesh, const Ways& predicted, double room);

// After the solve: particles that have come within the reach of something that is not in their company, or have met it.
// It is added to their company. Returns how many there are.
std::size_t add_missed(ContactMesh& mesh, const Ways& found, double reach, std::vector<Company>& company);

}  // namespace coracle
