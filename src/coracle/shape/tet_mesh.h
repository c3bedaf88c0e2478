// Tetrahedral meshes: the volume of deformable bodies.
#pragma once

#include "coracle/mesh.h"

#include <string>
#include <vector>

namespace coracle {

double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
double volume_of(const std::vector<Vec3>& x, const std::vector<Vec4i>& tets);  // their sum

// Triangles that belong to one tet only, outward oriented, with the vertex numbers of the tet mesh.
std::vector<Vec3i> boundary_triangles(const TetMesh& mesh);

// A box of `cells` cubes, each split into five tets (mirrored in every second cube) or six (around a diagonal).
TetMesh box_tets(const Vec3& lo, const Vec3& hi, const Vec3i& cells, int tets_per_cube);

struct DihedralRange {
  double least = 180, most = 0;  // degrees
};
DihedralRange dihedral_range(const TetMesh& mesh);
DihedralRange dihedral_range(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Why a mesh cannot be used, and where: non-finite coordinates, indices out of range, inverted or flat tets, vertices
// that no tet uses, tets or vertices that are there twice, a surface that is not manifold. Empty if the mesh can be
// used.
std::string tet_mesh_problem(const TetMesh& mesh);

}  // namespace coracle
