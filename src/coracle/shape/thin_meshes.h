// The meshes of bodies that are not made of tetrahedra: sheets of shells, lines of rods, surfaces of rigid bodies.
#pragma once

#include "coracle/mesh.h"
#include "coracle/shapes.h"

#include <vector>

namespace coracle {

// Into how many equal parts a length is divided so that none is longer than `most`; at least one.
double expected_parts(double length, double most);
// The same; throws std::runtime_error if they are far too many.
int parts_of_length(double length, double most);

// Two triangles of the cell with corners a b c d, counter-clockwise; `odd` chooses the diagonal.
void add_cell(int a, int b, int c, int d, bool odd, std::vector<Vec3i>& tris);

// A rectangle with the sides `along` and `across`; its normal is along × across. Sides of cells are at most `edge`
// long. The diagonals of neighbouring cells cross, so that the sheet prefers neither diagonal.
TriMesh rectangle_mesh(const Vec3& center, const Vec3& along, const Vec3& across, double edge);

// Ropes along both sides of a rectangle, its borders included, at most `spacing` apart, joined where they cross.
// Segments are at most `edge` long.
LineMesh net_mesh(const Vec3& center, const Vec3& along, const Vec3& across, double spacing, double edge);

// Straight from point to point, in segments that are at most `edge` long. The points stay nodes. If the last point
// equals the first, the line is a loop. Throws std::runtime_error if there are fewer than two points, or if two that
// follow each other are equal.
LineMesh line_mesh(const std::vector<Vec3>& points, double edge);

// The same lines in segments that are at most `edge` long. Nodes are numbered in the order of the segments; those that
// belong to no segment are left out.
LineMesh divided(const LineMesh& lines, double edge);

// The meshes of shapes. `edge` is the target length of edges, m. Every vertex belongs to an element. Throw
// std::runtime_error with a reason.

// Of a rectangle; the closed surface of a box, sphere, cylinder or torus; or the triangles of a file as they are, open
// or closed. Reading a file may turn all its triangles (read_tri_mesh), which changes nothing for a shell.
TriMesh sheet_of(const ShapeOptions& shape, double edge);

// Of a line, a net, or the `l` elements of an OBJ file, whose long segments are divided.
LineMesh lines_of(const ShapeOptions& shape, double edge);

// Of every shape that has a volume. A file of triangles is taken as it is, and must be closed. Shapes with parts, and
// files of tetrahedra, have the surface of their tetrahedra.
TriMesh closed_surface_of(const ShapeOptions& shape, double edge);

}  // namespace coracle
