// Meshes as plain data: triangles of a closed surface, tetrahedra of a volume.
#pragma once

#include "coracle/types.h"

#include <vector>

namespace coracle {

struct TriMesh {
  std::vector<Vec3> x;      // m
  std::vector<Vec3i> tris;  // counter-clockwise seen from outside
};

struct TetMesh {
  std::vector<Vec3> x;      // m
  std::vector<Vec4i> tets;  // (x1 − x0) · ((x2 − x0) × (x3 − x0)) > 0
};

// Points that move with the tetrahedra around them.
struct Embedding {
  std::vector<int> tet;
  std::vector<Eigen::Vector4d> weights;  // barycentric; some are negative for a point outside its tet
};

}  // namespace coracle
