// Meshes as plain data: triangles of a surface, tetrahedra of a volume, segments of lines.
#pragma once

#include "coracle/types.h"

#include <array>
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

struct LineMesh {
  std::vector<Vec3> x;  // m
  std::vector<std::array<int, 2>> segments;
};

// Points that move with the elements around them: tetrahedra, triangles or segments.
struct Embedding {
  std::vector<int> element;
  std::vector<Eigen::Vector4d> weights;  // barycentric, zero beyond the element's corners; some are negative for a
                                         // point outside its tetrahedron
};

}  // namespace coracle
