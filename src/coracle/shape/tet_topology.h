// Faces of tetrahedra and what they belong to.
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

// Across face f of tet t lies tet neighbors[t][f]: none (−1) at the surface, several (−2) where three or more meet.
std::vector<Vec4i> tet_neighbors(const std::vector<Vec4i>& tets);

// The surface: one face of tet `tet` each, in the order of the tets.
struct BoundaryFace {
  Vec3i tri;
  int tet;
};
std::vector<BoundaryFace> boundary_faces(const std::vector<Vec4i>& tets);

// Edges and vertices where the surface meets itself: `b` is −1 for a vertex. First edges, then vertices that no such
// edge has, both in the order of their numbers.
struct Pinch {
  int a, b;
};
std::vector<Pinch> surface_pinches(const std::vector<BoundaryFace>& surface, int vertices);

}  // namespace coracle
