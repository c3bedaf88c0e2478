// Probes of a liquid that particles and a level set describe.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/body.h"
#include "coracle/shape/closest.h"
#include "coracle/step/particles/cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {

// Length of the part of a line that lies in liquid, m. Sampled ten times per cell, with linear ends.
template <class Field>
CORACLE_BOTH double wet_length(const Grid& grid, const Field& phi, const Vec3& from, const Vec3& to) {
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

// The particles [begin, end) of the cell at `center` that are not inside a hull. Whole cells first: most lie on one
// side.
CORACLE_BOTH inline std::size_t outside_in_cell(const TreeView& hull, double half_diagonal, const Vec3& center,
                                                const Vec3* x, std::size_t begin, std::size_t end) {
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  if (begin == end) return 0;
  const double distance = hull.closest(center, everywhere).distance;
  if (distance < -half_diagonal) return 0;
  if (distance > half_diagonal) return end - begin;
  std::size_t count = 0;
  for (std::size_t p = begin; p < end; ++p) count += hull.closest(x[p], everywhere).distance > 0;
  return count;
}

// Particles, in the order of `start`, that are not inside the outer surface of a body.
std::size_t count_outside(const Body& body, const Grid& grid, const std::vector<Vec3>& x, const CellStart& start);

}  // namespace coracle
