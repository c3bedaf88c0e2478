// Noise reduction: neighbouring pixels of one smooth matte surface share their light.
//
// As [Dammertz10]: a few passes of a small kernel whose taps lie 1, 2, 4 pixels apart. A tap counts if it has the same
// surface as the pixel; its weight falls with the difference of light, relative to the noise: exp(−Δ² / k σ²). Surface
// colours are divided out before and multiplied back afterwards, so that only light is smoothed. Water, glass and edges
// do not change.
#pragma once

#include "coracle/show/trace.h"

#include <vector>

namespace coracle {

struct Exposure {
  int width = 0, height = 0;
  std::vector<Vec3f> light;     // linear radiance, the mean of a pixel's paths
  std::vector<float> variance;  // of that mean's luminance
  std::vector<Seen> seen;       // by all paths of a pixel: no material if they differ
};

void smooth(Exposure& film);

}  // namespace coracle
