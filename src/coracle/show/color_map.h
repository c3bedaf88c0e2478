// Numbers as colours.
#pragma once

#include "coracle/types.h"

namespace coracle {

// From dark violet through blue and green to light yellow. Lightness rises evenly, so that the map also works in grey
// and without colour vision. sRGB; t is clamped to [0, 1].
Vec3 map_color(double t);

// The numbers of the first and the last colour.
struct ColorRange {
  double low = 0, high = 1;
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0; }
};

}  // namespace coracle
