// Figures computed from series of values.
#pragma once

#include "validation/case.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle::validation {

// Slope of log y over log x by least squares.
inline double slope(const Points& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    const double a = std::log(x), b = std::log(y);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  const double n = double(points.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// Linear interpolation between the points of a curve.
inline double value_at(const Points& curve, double t) {
  const auto next = std::find_if(curve.begin(), curve.end(), [&](const auto& p) { return p.first >= t - 1e-9; });
  if (next == curve.end() || next == curve.begin()) return std::numeric_limits<double>::quiet_NaN();
  const auto& [t0, u0] = *(next - 1);
  return u0 + (next->second - u0) * (t - t0) / (next->first - t0);
}

inline double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum / double(values.size()));
}

// Mean weighted by the step length.
struct Mean {
  double sum = 0, time = 0;
  void add(double value, double dt) { sum += value * dt, time += dt; }
  double value() const { return time > 0 ? sum / time : std::numeric_limits<double>::quiet_NaN(); }
};

}  // namespace coracle::validation
