// Closed triangle meshes: the surface of every solid, whatever it was made from.
#pragma once

#include "coracle/mesh.h"

#include <string>
#include <utility>
#include <vector>

namespace coracle {

// Primitives, all closed, outward oriented.
TriMesh box_mesh(const Vec3& lo, const Vec3& hi);
// A subdivided icosahedron whose edges are at most `edge` long; scaled so that it encloses the sphere's volume exactly.
TriMesh sphere_mesh(const Vec3& center, double radius, double edge);
// Axis through center; `edge` bounds the length of the rim's segments; the prism encloses the cylinder's volume
// exactly.
TriMesh cylinder_mesh(const Vec3& center, const Vec3& axis, double radius, double height, double edge);
// A tube of radius `tube` along a circle of `radius` about the axis; encloses the torus' volume exactly.
TriMesh torus_mesh(const Vec3& center, const Vec3& axis, double radius, double tube, double edge);
// Two spheres, the inner one of radius − thickness turned inside out.
TriMesh hollow_sphere_mesh(const Vec3& center, double radius, double thickness, double edge);
// A polygon in the xy-plane (counter-clockwise, star-shaped about `center`), extruded from z0 to z1.
TriMesh prism_mesh(const std::vector<Vec3>& outline, const Vec3& center, double z0, double z1);

// Degrees about x, then y, then z.
Mat3 rotation_xyz(const Vec3& degrees);
// x <- translate + rotation (scale x).
void transform(TriMesh& mesh, double scale, const Mat3& rotation, const Vec3& translate);

double enclosed_volume(const TriMesh& mesh);

// What keeps a mesh from being a closed, oriented, finite surface; empty when nothing does.
// Checks: finite coordinates, indices in range, no degenerate index triples, every directed edge met by exactly one
// opposite (names the first open or doubled edge with its two points), positive volume.
std::string closedness_problem(const TriMesh& mesh);

// Read OBJ, PLY, STL or glTF; joins identical vertices (STL has no others), triangulates, turns it inside out where the
// volume is negative. Throws std::runtime_error with a reason.
TriMesh read_tri_mesh(const std::string& file);

}  // namespace coracle
