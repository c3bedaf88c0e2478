// The thickness of a closed surface.
#pragma once

#include "coracle/types.h"

#include <span>

namespace coracle {

// Distance from the middle of a triangle along the inward normal to the other side; the area-weighted median over
// triangles. For a plate or shell its thickness, for a ball its diameter.
double median_thickness(std::span<const Vec3> x, std::span<const Vec3i> tris);

}  // namespace coracle
