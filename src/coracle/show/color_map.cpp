#include "coracle/show/color_map.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// sRGB at even steps; CIE lightness rises by about 10 per step, from 16 to 92.
const Vec3 steps[] = {{0.22, 0.06, 0.38}, {0.28, 0.19, 0.55}, {0.22, 0.35, 0.63},
                      {0.13, 0.49, 0.65}, {0.11, 0.61, 0.61}, {0.27, 0.72, 0.49},
                      {0.55, 0.81, 0.34}, {0.80, 0.88, 0.28}, {0.98, 0.93, 0.42}};

}  // namespace

Vec3 map_color(double t) {
  const double at = std::clamp(t, 0.0, 1.0) * (std::size(steps) - 1);
  const int i = std::min(int(at), int(std::size(steps)) - 2);
  return steps[i] + (at - i) * (steps[i + 1] - steps[i]);
}

}  // namespace coracle
