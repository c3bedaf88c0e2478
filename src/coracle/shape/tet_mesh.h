// Tetrahedral meshes: the inside of every deformable body.
#pragma once

#include "coracle/mesh.h"

#include <string>
#include <vector>

namespace coracle {

double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Triangles that belong to one tet only, outward oriented, over the tet mesh's own vertex numbers.
std::vector<Vec3i> boundary_triangles(const TetMesh& mesh);

// A box of cells × cubes, each split into five tets (mirrored from cube to cube) or six (about a diagonal).
TetMesh box_tets(const Vec3& lo, const Vec3& hi, const Vec3i& cells, int tets_a_cube);

struct DihedralRange {
  double least = 180, most = 0;  // degrees
};
DihedralRange dihedral_range(const TetMesh& mesh);
DihedralRange dihedral_range(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// What keeps a mesh from being usable: non-finite coordinates, indices out of range, inverted or flat tets, vertices
// that no tet uses, a surface that is not manifold; names the place. Empty when nothing does.
std::string tet_mesh_problem(const TetMesh& mesh);

}  // namespace coracle
