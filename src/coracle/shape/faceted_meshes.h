// Closed surfaces whose flat sides, too, are divided into facets: for bodies that bend, and for contact, which acts at
// vertices. The surfaces of solids (tri_mesh.h) need no more triangles than their shape.
#pragma once

#include "coracle/mesh.h"

namespace coracle {

// All sides of cells are at most `edge` long, diagonals alternate as in rectangle_mesh().
TriMesh faceted_box_mesh(const Vec3& lo, const Vec3& hi, double edge);
// Sides of the facets are about `edge` long; encloses the volume of the cylinder exactly.
TriMesh faceted_cylinder_mesh(const Vec3& center, const Vec3& axis, double radius, double height, double edge);

}  // namespace coracle
