// How large a body will be, known before it is meshed.
#pragma once

#include "coracle/scene.h"

#include <vector>

namespace coracle {

// About as many tetrahedra, from its volume and edge; exact for boxes of cubes. Zero for a file of tetrahedra, which is
// not meshed, and infinite for an infinite shape. Throws std::runtime_error if a mesh cannot be read.
double expected_tets(const BodyOptions& body);

struct BodySize {
  double tets = 0;
  double nodes = 0;
  double volume = 0;  // m³
};

// The same with the number of nodes; a file of tetrahedra is read and counted.
BodySize expected_size(const BodyOptions& body);
std::vector<BodySize> expected_sizes(const Scene& scene);

}  // namespace coracle
