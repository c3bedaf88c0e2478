// A symmetric 7-point matrix on a grid:  (A x)_i = diag_i x_i − Σ off x_neighbour, off ≥ 0.
// off[a] at cell c couples c with its neighbour c + e_a. Cells without an unknown have diag 0 and no couplings.
#pragma once

#include "coracle/array3.h"
#include "coracle/base/parallel.h"
#include "coracle/solve/stencil_row.h"

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

template <class T>
StencilView<T> view(const Stencil<T>& a) {
  return {a.n.x(),
          a.n.y(),
          a.n.z(),
          a.diag.data.data(),
          {a.off[0].data.data(), a.off[1].data.data(), a.off[2].data.data()}};
}

}  // namespace coracle
