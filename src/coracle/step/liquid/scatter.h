// A cell's particles, summed for the faces around it. V: a number, or one per lane (simd.h) for several samples at
// once.
#pragma once

#include "coracle/base/simd.h"

namespace coracle {

// A particle's spot (gather.h) as seen from one axis a: the lower of its samples is at 0, the upper at 1. The other two
// axes are b and d.
struct SpotAlong {
  float a, b, d;
  float clamped_b, clamped_d;
};

// Sums for a pair of samples, the lower and the upper along the axis, at places `at_b`, `at_d` on the other two.
template <class V>
struct PairSums {
  V sum[2] = {}, weight[2] = {};

  // v is the particle's velocity along the axis; ca, cb and cd are its slopes, per cell.
  CORACLE_BOTH void add(const V& at_b, const V& at_d, const SpotAlong& p, float v, float ca, float cb, float cd) {
    const V w = hat(p.clamped_b - at_b) * hat(p.clamped_d - at_d);
    const V value = v - ca * p.a + cb * (at_b - p.b) + cd * (at_d - p.d);
    const V low = (1 - p.a) * w, high = p.a * w;
    weight[0] += low, weight[1] += high;
    sum[0] += low * value, sum[1] += high * (value + ca);
  }
};

// At a face, from the sums of the particles that reach it.
struct MeanVelocity {
  double u;
  bool touched;
};
CORACLE_BOTH inline MeanVelocity mean_velocity(double sum, float weight) {
  constexpr float least_weight = 1e-6f;  // below it the mean is round-off
  if (!(weight > least_weight)) return {0, false};
  return {sum / weight, true};
}

}  // namespace coracle
