// Larger triangles where a surface may have them.
#pragma once

#include "coracle/mesh.h"

#include <functional>

namespace coracle::characters {

// Joins the ends of edges that are shorter than three quarters of `length` at their middle, the shortest first, at the
// point that `place` puts their middle on. The surface stays closed, and no triangle turns over.
void coarsen(TriMesh& mesh, const std::function<double(const Vec3&)>& length,
             const std::function<Vec3(const Vec3&)>& place);

}  // namespace coracle::characters
