// Less grain: neighbouring pixels of one smooth matte surface share what light they have found.
//
// As [Dammertz10]: a few passes of a small kernel whose taps lie 1, 2, 4 pixels apart. A tap counts by how well it
// agrees with the pixel's surface, and with its light as far as the pixel's own grain lets it judge: exp(−Δ² / k σ²).
// Colours of surfaces are divided out before and come back afterwards, so that nothing but light is smoothed. Water,
// glass and edges stay as they are.
#pragma once

#include "coracle/show/trace.h"

#include <vector>

namespace coracle {

struct Film {
  int width = 0, height = 0;
  std::vector<Vec3f> light;     // linear radiance, the mean of a pixel's paths
  std::vector<float> variance;  // of that mean's luminance
  std::vector<Seen> seen;       // by all paths of a pixel: no material where they differ
};

void smooth(Film& film);

}  // namespace coracle
