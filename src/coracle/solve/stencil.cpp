#include "coracle/solve/stencil.h"

#include "coracle/base/parallel.h"

namespace coracle {

void multiply(const Stencil<double>& a, const Vector& x, Vector& y) {
  y.resize(x.size());
  const int nx = a.n.x(), ny = a.n.y();
  const std::size_t sy = a.diag.stride(1), sz = a.diag.stride(2);
  for_blocks(a.rows(), 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const int j = int(row % ny), k = int(row / ny);
      std::size_t i = row * nx;
      for (int ix = 0; ix < nx; ++ix, ++i)
        y[i] = a.diag.data[i] == 0 ? 0 : a.diag.data[i] * x[i] - neighbour_sum(a, x.data(), i, ix, j, k, sy, sz);
    }
  });
}

std::size_t count_unknowns(const Stencil<double>& a) {
  std::size_t count = 0;
  for (double d : a.diag.data) count += d != 0;
  return count;
}

std::size_t count_nonzeros(const Stencil<double>& a) {
  std::size_t count = count_unknowns(a);
  for (const auto& o : a.off)
    for (double w : o.data) count += w != 0 ? 2 : 0;
  return count;
}

}  // namespace coracle
