// Faces of tetrahedra, neighbours and the surface.
#pragma once

#include "coracle/types.h"

#include <string>
#include <vector>

namespace coracle {

// The corners of face f, opposite corner f, counter-clockwise seen from outside a tet of positive volume.
inline constexpr int tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline Vec3i tet_face(const Vec4i& tet, int f) {
  return {tet[tet_faces[f][0]], tet[tet_faces[f][1]], tet[tet_faces[f][2]]};
}

// neighbors[t][f] is the tet across face f of tet t: −1 at the surface, −2 if three or more tets share the face.
std::vector<Vec4i> tet_neighbors(const std::vector<Vec4i>& tets);

// A face of tet `tet` on the surface. The faces are in the order of the tets.
struct BoundaryFace {
  Vec3i tri;
  int tet;
};
std::vector<BoundaryFace> boundary_faces(const std::vector<Vec4i>& tets);

// Edges (a, b) and vertices a (b = −1) where the surface touches itself. First the edges, then the vertices that are
// not on such an edge, both in increasing order.
struct Pinch {
  int a, b;
};
std::vector<Pinch> surface_pinches(const std::vector<BoundaryFace>& surface, int vertices);

}  // namespace coracle
