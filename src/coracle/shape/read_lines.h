#pragma once

#include "coracle/mesh.h"

#include <string>

namespace coracle {

// The lines of an OBJ file: its `v` and `l` elements; all others are ignored. Vertices at the same place are merged, so
// that ropes join there. Throws std::runtime_error with the file, the line and a reason.
LineMesh read_lines(const std::string& file);

}  // namespace coracle
