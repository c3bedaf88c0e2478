// A symmetric 7-point matrix on a grid:  (A x)_i = diag_i x_i − Σ off x_neighbour, off ≥ 0.
// off[a] at cell c couples c with its neighbour c + e_a. Cells without an unknown have diag 0 and no couplings.
#pragma once

#include "coracle/array3.h"
#include "coracle/base/parallel.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace coracle {

template <class T>
struct Stencil {
  Vec3i n = Vec3i::Zero();
  Array3<T> diag;
  std::array<Array3<T>, 3> off;

  std::vector<std::pair<int, int>> span;  // per row: its unknowns lie in [first, second); set by find_spans

  void assign(const Vec3i& size) {
    n = size;
    diag.assign(size);
    for (auto& o : off) o.assign(size);
    span.clear();
  }
  void find_spans() {
    span.resize(rows());
    for_each_index(
        rows(),
        [&](std::size_t row) {
          const T* d = diag.data.data() + row * n.x();
          int first = 0, last = n.x();
          while (first < last && d[first] == 0) ++first;
          while (last > first && d[last - 1] == 0) --last;
          span[row] = first < last ? std::pair(first, last) : std::pair(n.x(), 0);
        },
        64);
  }
  std::size_t rows() const { return std::size_t(n.y()) * n.z(); }
};

using Vector = std::vector<double>;  // one value per cell, zero without an unknown

// y = A x
void multiply(const Stencil<double>& a, const Vector& x, Vector& y);

std::size_t count_unknowns(const Stencil<double>& a);
std::size_t count_nonzeros(const Stencil<double>& a);

// The pointers that a loop along one row of cells needs. The loop then has no conditions and is vectorised. At the
// border of the grid, the missing row is replaced by zeros.
template <class T>
struct StencilRow {
  const T *x, *along;              // this row, and the couplings within it
  const T *x_side[4], *w_side[4];  // the four neighbouring rows in y and z, with their couplings

  StencilRow(const Stencil<T>& a, const T* values, std::size_t row, int j, int k, const std::vector<T>& zeros) {
    const std::size_t start = row * a.n.x(), sy = a.diag.stride(1), sz = a.diag.stride(2);
    x = values + start;
    along = a.off[0].data.data() + start;
    const T *oy = a.off[1].data.data() + start, *oz = a.off[2].data.data() + start;
    const auto side = [&](int s, bool there, const T* x_there, const T* w_there) {
      x_side[s] = there ? x_there : zeros.data();
      w_side[s] = there ? w_there : zeros.data();
    };
    side(0, j > 0, x - sy, oy - sy);
    side(1, j + 1 < a.n.y(), x + sy, oy);
    side(2, k > 0, x - sz, oz - sz);
    side(3, k + 1 < a.n.z(), x + sz, oz);
  }

  // Sum over the couplings to the four neighbouring rows.
  T across(int i) const {
    return w_side[0][i] * x_side[0][i] + w_side[1][i] * x_side[1][i] + w_side[2][i] * x_side[2][i] +
           w_side[3][i] * x_side[3][i];
  }
  // Sum over all six couplings; reads x one value beyond each end of the row.
  T sum(int i) const { return along[i] * x[i + 1] + along[i - 1] * x[i - 1] + across(i); }
  // The same at the first cell of the row.
  T sum_first(int i) const { return along[i] * x[i + 1] + across(i); }
};

}  // namespace coracle
