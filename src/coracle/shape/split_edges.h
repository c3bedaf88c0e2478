// Triangles that are small enough to carry a field, on the same surface.
#pragma once

#include "coracle/mesh.h"

namespace coracle {

// The same surface without edges longer than `most`: always the longest edge is cut in its middle, with the triangles
// at it [Rivara84], so that triangles do not get thinner than half as thin. An edge has one or two triangles.
TriMesh split_long_edges(TriMesh mesh, double most);

}  // namespace coracle
