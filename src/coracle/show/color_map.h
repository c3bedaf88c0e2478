// Numbers as colours.
#pragma once

#include "coracle/types.h"

namespace coracle {

// From dark violet through blue and green to light yellow; lightness rises evenly, so that it also reads in grey and
// for all kinds of sight. sRGB; t is clamped to [0, 1].
Vec3 map_color(double t);

// The colours stand for numbers between low and high.
struct ColorRange {
  double low = 0, high = 1;
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0; }
};

}  // namespace coracle
