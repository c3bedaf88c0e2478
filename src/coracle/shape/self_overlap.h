// Where a surface passes through itself.
#pragma once

#include "coracle/types.h"

#include <span>

namespace coracle {

struct SelfOverlap {
  int pairs = 0;           // of triangles that cross each other
  Vec3 at = Vec3::Zero();  // m, a point where the first of them do
};

// Triangles that share a vertex, or only touch, do not cross.
SelfOverlap self_overlap(std::span<const Vec3> x, std::span<const Vec3i> tris);

}  // namespace coracle
