// How large a body will be, known before it is meshed.
#pragma once

#include "coracle/scene.h"

#include <vector>

namespace coracle {

// About as many tetrahedra are meshed, by its volume and edge; exact for boxes of cubes. Zero for shells, rods and
// files of tetrahedra, which need no meshing, and infinite for an infinite shape. A rigid body with parts has the
// surface of such tetrahedra. Throws std::runtime_error if a mesh cannot be read.
double expected_tets(const BodyOptions& body);

struct BodySize {
  double tets = 0;
  double triangles = 0;  // of a shell, or of the surface of a rigid body
  double segments = 0;   // of rods
  double nodes = 0;
  double spacing = 0;  // m between nodes
};

// What the body will have, about; files are read and counted.
BodySize expected_size(const BodyOptions& body);
std::vector<BodySize> expected_sizes(const Scene& scene);

}  // namespace coracle
