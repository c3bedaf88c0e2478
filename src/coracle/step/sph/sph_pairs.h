// The neighbours of each particle, with the gradients of their kernels.
#pragma once

#include "coracle/step/particles/cells.h"

#include <cstdint>
#include <vector>

namespace coracle {

// The neighbours of particle i are at [start[i], start[i + 1]), without itself: all nearer than the support.
//
// Gradients are kept as floats in units of ℏ⁻⁴, three per pair. They are rounded once, so that that of (j, i) is the
// opposite of that of (i, j) in every bit: sums of forces vanish. The list ends with one more number, so that four can
// be read at once.
struct SphPairs {
  std::vector<std::uint32_t> start;
  std::vector<std::uint32_t> other;
  std::vector<float> gradient;
  double unit = 0;                     // m⁻⁴: ℏ⁻⁴
  std::vector<double> number_density;  // m⁻³, per particle: Σ_j W_ij, with itself
};

// `x` in the order of cells of size ≥ support; `start` as in CellOrder.
SphPairs find_pairs(const Grid& grid, const CellStart& start, const std::vector<Vec3>& x, double support);

}  // namespace coracle
