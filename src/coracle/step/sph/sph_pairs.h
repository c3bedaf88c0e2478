// The neighbours of each particle, with the gradients of their kernels.
#pragma once

#include "coracle/step/particles/cells.h"

#include <cstdint>
#include <vector>

namespace coracle {

// The neighbours of particle i are at [start[i], start[i + 1]), without itself: all nearer than the support. The
// gradient of the kernel between i and its neighbour j is
//     g_ij = slope_ij (x_i − x_j)
// Slopes are kept as floats in units of ℏ⁻⁵. That of (j, i) is that of (i, j) in every bit: the forces of a pair are
// opposite to round-off, and central.
struct SphPairs {
  std::vector<std::uint32_t> start;
  std::vector<std::uint32_t> other;
  std::vector<float> slope;
  double unit = 0;                     // m⁻⁵: ℏ⁻⁵
  std::vector<double> number_density;  // m⁻³, per particle: Σ_j W_ij, with itself
};

// `x` in the order of cells of size ≥ support; `start` as in CellOrder.
SphPairs find_pairs(const Grid& grid, const CellStart& start, const std::vector<Vec3>& x, double support);

}  // namespace coracle
