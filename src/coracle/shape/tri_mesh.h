// Closed triangle meshes: the surfaces of solids.
#pragma once

#include "coracle/mesh.h"

#include <Eigen/Geometry>

#include <string>
#include <utility>
#include <vector>

namespace coracle {

// Primitives, all closed, outward oriented.
TriMesh box_mesh(const Vec3& lo, const Vec3& hi);
// A subdivided icosahedron whose edges are at most `edge` long; scaled so that it encloses the sphere's volume exactly.
TriMesh sphere_mesh(const Vec3& center, double radius, double edge);
// A prism whose axis passes through center. `edge` bounds the length of the rim segments; the prism encloses the volume
// of the cylinder exactly.
TriMesh cylinder_mesh(const Vec3& center, const Vec3& axis, double radius, double height, double edge);
// A tube of radius `tube` along a circle of `radius` about the axis; encloses the volume of the torus exactly.
TriMesh torus_mesh(const Vec3& center, const Vec3& axis, double radius, double tube, double edge);
// Two spheres; the inner one, of radius − thickness, is turned inside out.
TriMesh hollow_sphere_mesh(const Vec3& center, double radius, double thickness, double edge);
// A polygon in the xy-plane (counter-clockwise, star-shaped about `center`), extruded from z0 to z1.
TriMesh prism_mesh(const std::vector<Vec3>& outline, const Vec3& center, double z0, double z1);

// Degrees about x, then y, then z.
Mat3 rotation_xyz(const Vec3& degrees);
// x <- translate + rotation (scale x).
void transform(TriMesh& mesh, double scale, const Mat3& rotation, const Vec3& translate);

// Signed volume of the tetrahedron between a triangle and the origin. The sum over a closed surface is its volume.
inline double cone_volume(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)) / 6; }
double enclosed_volume(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris);
double enclosed_volume(const TriMesh& mesh);

// Why a mesh is not a closed, oriented, finite surface; empty if it is one.
// Checks: finite coordinates, indices in range, no degenerate index triples, no triangle twice, exactly one opposite
// for every directed edge (names the first open or doubled edge with its two points), positive volume, every piece
// turned outward (a cavity: inward). Ends with a remedy where there is one.
std::string closedness_problem(const TriMesh& mesh);

// Read OBJ, PLY, STL or glTF: merges identical vertices (needed for STL), triangulates, and turns the mesh inside out
// if its volume is negative. Throws std::runtime_error with a reason.
TriMesh read_tri_mesh(const std::string& file);

}  // namespace coracle
