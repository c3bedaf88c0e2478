// The multigrid cycle cell by cell (multigrid.h), for the loops of the CPU and the kernels of CUDA alike.
#pragma once

#include "coracle/solve/stencil_row.h"

namespace coracle {

// The coarse operator is scaled by this: 1.0 triples the iterations, 0.6 adds half.
inline constexpr float coarse_scale = 0.5f;
inline constexpr int sweeps = 2;         // before and after the coarse correction
inline constexpr int coarsest_side = 6;  // cells along the longest side of the level that is solved directly

CORACLE_BOTH constexpr int halved(int n) { return (n + 1) / 2; }

// Which parity of i the cells of this colour have in the row (j, k).
CORACLE_BOTH inline int parity_of(int row, int ny, int colour) { return (row % ny + row / ny + colour) & 1; }

// Gauss–Seidel at cell i: its new value.
CORACLE_BOTH inline float relaxed(const StencilRow<float>& row, float inverse, float b, int i) {
  return inverse * (b + row.sum(i));
}

// b − A x at cell i.
CORACLE_BOTH inline float residual(const StencilRow<float>& row, float diag, float b, int i) {
  return b - diag * row.x[i] + row.sum(i);
}

// diag − Σ off of the finest level; what round-off leaves counts as zero.
CORACLE_BOTH inline float excess_of(double diag, double couplings) {
  const double excess = diag - couplings;
  return excess > 1e-12 * diag ? float(excess) : 0;
}

// Sum of the couplings of cell (i, j, k).
template <class T>
CORACLE_BOTH T coupling_sum(const StencilView<T>& a, int i, int j, int k) {
  const std::size_t sy = a.nx, sz = sy * a.ny, c = i + sy * j + sz * k;
  T sum = a.off[0][c] + a.off[1][c] + a.off[2][c];
  if (i > 0) sum += a.off[0][c - 1];
  if (j > 0) sum += a.off[1][c - sy];
  if (k > 0) sum += a.off[2][c - sz];
  return sum;
}

// An aggregate of 2×2×2 cells: its couplings and its excess are the sums over the cells; couplings inside drop out.
struct Aggregate {
  float off[3] = {}, excess = 0;
};
CORACLE_BOTH inline Aggregate aggregate(const StencilView<float>& fine, const float* excess, int ci, int cj, int ck) {
  Aggregate sum;
  const std::size_t sy = fine.nx, sz = sy * fine.ny;
  for (int k = 2 * ck; k < 2 * ck + 2 && k < fine.nz; ++k)
    for (int j = 2 * cj; j < 2 * cj + 2 && j < fine.ny; ++j)
      for (int i = 2 * ci; i < 2 * ci + 2 && i < fine.nx; ++i) {
        const std::size_t f = i + sy * j + sz * k;
        sum.excess += coarse_scale * excess[f];
        if (i & 1) sum.off[0] += coarse_scale * fine.off[0][f];
        if (j & 1) sum.off[1] += coarse_scale * fine.off[1][f];
        if (k & 1) sum.off[2] += coarse_scale * fine.off[2][f];
      }
  return sum;
}

}  // namespace coracle
