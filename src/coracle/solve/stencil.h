// A symmetric 7-point matrix on a grid:  (A x)_i = diag_i x_i − Σ off x_neighbour, off ≥ 0.
// off[a] at cell c couples c with its neighbour c + e_a. Cells that are no unknowns have diag 0 and no couplings.
#pragma once

#include "coracle/base/array3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace coracle {

template <class T>
struct Stencil {
  Vec3i n = Vec3i::Zero();
  Array3<T> diag;
  std::array<Array3<T>, 3> off;

  void assign(const Vec3i& size) {
    n = size;
    diag.assign(size);
    for (auto& o : off) o.assign(size);
  }
  std::size_t rows() const { return std::size_t(n.y()) * n.z(); }
};

using Vector = std::vector<double>;  // one value a cell, zero where there is no unknown

// y = A x
void multiply(const Stencil<double>& a, const Vector& x, Vector& y);

std::size_t count_unknowns(const Stencil<double>& a);
std::size_t count_nonzeros(const Stencil<double>& a);

// Σ of the six couplings of cell i = (x, y, z), given the neighbours' values in x.
template <class T>
inline T neighbour_sum(const Stencil<T>& a, const T* x, std::size_t i, int ix, int iy, int iz, std::size_t sy,
                       std::size_t sz) {
  T s = a.off[0].data[i] * (ix + 1 < a.n.x() ? x[i + 1] : T(0));
  if (ix > 0) s += a.off[0].data[i - 1] * x[i - 1];
  if (iy > 0) s += a.off[1].data[i - sy] * x[i - sy];
  if (iy + 1 < a.n.y()) s += a.off[1].data[i] * x[i + sy];
  if (iz > 0) s += a.off[2].data[i - sz] * x[i - sz];
  if (iz + 1 < a.n.z()) s += a.off[2].data[i] * x[i + sz];
  return s;
}

}  // namespace coracle
