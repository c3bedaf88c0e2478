#include "coracle/solve/stencil.h"

#include "coracle/base/parallel.h"

namespace coracle {

void multiply(const Stencil<double>& a, const Vector& x, Vector& y) {
  if (y.size() != x.size()) y.assign(x.size(), 0);
  const std::vector<double> zeros(std::size_t(a.n.x()) + 1, 0);
  const int nx = a.n.x();
  for_each_index(
      a.rows(),
      [&](std::size_t r) {
        const auto [first, last] = a.span.empty() ? std::pair(0, nx) : a.span[r];
        if (first >= last) return;
        const StencilRow<double> row(view(a), x.data(), int(r), zeros.data());
        const double* d = a.diag.data.data() + r * nx;
        double* out = y.data() + r * nx;
        const int inner = std::max(first, 1), end = std::min(last, nx - 1);
        if (first == 0) out[0] = d[0] * row.x[0] - (nx > 1 ? row.sum_first(0) : row.across(0));
        for (int i = inner; i < end; ++i) out[i] = d[i] * row.x[i] - row.sum(i);
        if (last == nx && nx > 1)
          out[nx - 1] = d[nx - 1] * row.x[nx - 1] - row.along[nx - 2] * row.x[nx - 2] - row.across(nx - 1);
      },
      32);
}

namespace {

// Number of non-zero values within the spans of the rows.
std::size_t count_in_spans(const Stencil<double>& a, const Array3<double>& values) {
  return std::size_t(sum_blocks(
      a.rows(),
      [&](std::size_t begin, std::size_t end) {
        std::size_t found = 0;
        for (std::size_t r = begin; r < end; ++r) {
          const auto [first, last] = a.span.empty() ? std::pair(0, a.n.x()) : a.span[r];
          const double* row = values.data.data() + r * a.n.x();
          for (int i = first; i < last; ++i) found += row[i] != 0;
        }
        return double(found);
      },
      64));
}

}  // namespace

std::size_t count_unknowns(const Stencil<double>& a) { return count_in_spans(a, a.diag); }

std::size_t count_nonzeros(const Stencil<double>& a) {
  std::size_t count = count_unknowns(a);
  for (const auto& o : a.off) count += 2 * count_in_spans(a, o);
  return count;
}

}  // namespace coracle
