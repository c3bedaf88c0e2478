// The 7-point product cell by cell, for the loops of the CPU and the kernels of CUDA alike.
#pragma once

#include "coracle/both.h"

#include <cstddef>

namespace coracle {

// A 7-point matrix (stencil.h) as plain pointers, x fastest.
template <class T>
struct StencilView {
  int nx = 0, ny = 0, nz = 0;
  const T* diag = nullptr;
  const T* off[3] = {};

  CORACLE_BOTH int rows() const { return ny * nz; }
};

// The pointers that a loop along one row of cells needs. The loop then has no conditions and is vectorised. At the
// border of the grid, the missing row is replaced by zeros.
template <class T>
struct StencilRow {
  const T *x, *along;              // this row, and the couplings within it
  const T *x_side[4], *w_side[4];  // the four neighbouring rows in y and z, with their couplings

  CORACLE_BOTH StencilRow(const StencilView<T>& a, const T* values, int row, const T* zeros) {
    const int j = row % a.ny, k = row / a.ny;
    const std::size_t sy = a.nx, sz = sy * a.ny, start = row * sy;
    x = values + start;
    along = a.off[0] + start;
    const T *oy = a.off[1] + start, *oz = a.off[2] + start;
    side(0, j > 0, x - sy, oy - sy, zeros);
    side(1, j + 1 < a.ny, x + sy, oy, zeros);
    side(2, k > 0, x - sz, oz - sz, zeros);
    side(3, k + 1 < a.nz, x + sz, oz, zeros);
  }

  // Sum over the couplings to the four neighbouring rows.
  CORACLE_BOTH T across(int i) const {
    return w_side[0][i] * x_side[0][i] + w_side[1][i] * x_side[1][i] + w_side[2][i] * x_side[2][i] +
           w_side[3][i] * x_side[3][i];
  }
  // Sum over all six couplings; reads x one value beyond each end of the row.
  CORACLE_BOTH T sum(int i) const { return along[i] * x[i + 1] + along[i - 1] * x[i - 1] + across(i); }
  // The same at the first cell of the row.
  CORACLE_BOTH T sum_first(int i) const { return along[i] * x[i + 1] + across(i); }

 private:
  CORACLE_BOTH void side(int s, bool there, const T* x_there, const T* w_there, const T* zeros) {
    x_side[s] = there ? x_there : zeros;
    w_side[s] = there ? w_there : zeros;
  }
};

}  // namespace coracle
