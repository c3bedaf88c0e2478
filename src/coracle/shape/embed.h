// Points that move with the tets around them: a fine surface in a coarse body.
#pragma once

#include "coracle/shape/tet_mesh.h"

#include <vector>

namespace coracle {

// A point outside every tet belongs to the tet under the nearest point of the surface.
Embedding embed(const TetMesh& mesh, const std::vector<Vec3>& points);

// Interpolate a nodal quantity to the points. With the node positions x: the positions of the points.
std::vector<Vec3> embedded(const Embedding& embedding, const std::vector<Vec4i>& tets, const std::vector<Vec3>& x);
std::vector<double> embedded(const Embedding& embedding, const std::vector<Vec4i>& tets, const std::vector<double>& f);

}  // namespace coracle
