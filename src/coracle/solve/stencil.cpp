#include "coracle/solve/stencil.h"

#include "coracle/base/for_cells.h"

namespace coracle {

void multiply(const Stencil<double>& a, const Vector& x, Vector& y) {
  y.resize(x.size());
  const std::size_t sy = a.diag.stride(1), sz = a.diag.stride(2);
  for_cells(a.n, [&](const Vec3i& c, std::size_t i) {
    const double d = a.diag.data[i];
    y[i] = d == 0 ? 0 : d * x[i] - neighbour_sum(a, x.data(), i, c.x(), c.y(), c.z(), sy, sz);
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
