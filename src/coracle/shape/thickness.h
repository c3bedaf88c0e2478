// How thick a closed surface is.
#pragma once

#include "coracle/types.h"

#include <span>

namespace coracle {

// Distance from a triangle's middle straight through to the other side, the median over triangles by area: the
// thickness of a plate or shell, the diameter of a ball.
double median_thickness(std::span<const Vec3> x, std::span<const Vec3i> tris);

}  // namespace coracle
