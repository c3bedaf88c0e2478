#include "coracle/step/particles/probes.h"

#include "coracle/base/interpolate.h"
#include "coracle/shape/closest.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace coracle {

// Sampled ten times per cell, with linear ends.
double wet_length(const Grid& grid, const Array3<double>& phi, const Vec3& from, const Vec3& to) {
  const double length = (to - from).norm();
  const int pieces = std::max(1, int(std::ceil(10 * length / grid.dx)));
  const auto at = [&](int i) { return sample_cells(phi, grid.to_cells(from + (to - from) * (double(i) / pieces))); };
  double wet = 0, a = at(0);
  for (int i = 1; i <= pieces; ++i) {
    const double b = at(i);
    wet += a < 0 && b < 0 ? 1 : a < 0 ? a / (a - b) : b < 0 ? b / (b - a) : 0;
    a = b;
  }
  return wet * length / pieces;
}

// Whole cells first: most lie on one side of the hull.
std::size_t count_outside(const Body& body, const Grid& grid, const std::vector<Vec3>& x, const CellStart& start) {
  if (x.empty()) return 0;
  const TriTree hull(body.x, body.rest->skin.hull);
  const double half_diagonal = 0.5 * std::sqrt(3.0) * grid.dx;
  std::atomic<std::size_t> count = 0;
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const double distance = hull.closest(grid.center(c)).distance;
    if (distance < -half_diagonal) return;
    if (distance > half_diagonal) {
      count += end - begin;
      return;
    }
    for (std::size_t p = begin; p < end; ++p) count += hull.closest(x[p]).distance > 0;
  });
  return count;
}

}  // namespace coracle
