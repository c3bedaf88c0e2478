// How many tetrahedra a body will have, known before it is meshed.
#pragma once

#include "coracle/scene.h"

namespace coracle {

// About as many, from its volume and edge; exact for boxes of cubes. Zero for a file of tetrahedra, which is not
// meshed, and infinite for an infinite shape. Throws std::runtime_error if a mesh cannot be read.
double expected_tets(const BodyOptions& body);

}  // namespace coracle
