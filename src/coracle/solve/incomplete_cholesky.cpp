#include "coracle/solve/incomplete_cholesky.h"

namespace coracle {
namespace {

constexpr double modified = 0.97;    // share of the dropped fill that is added to the pivot [Bridson15]
constexpr double safe_pivot = 0.25;  // relative to the diagonal; below it the pivot is the diagonal itself

}  // namespace

void IncompleteCholesky::set_up(const Stencil<double>& a) {
  a_ = &a;
  inverse_pivot_.assign(a.diag.size(), 0);
  for (std::size_t i = 0; i < a.diag.size(); ++i) {
    if (a.diag.data[i] == 0) continue;
    double pivot = a.diag.data[i];
    const Vec3i c = a.diag.cell(i);
    for (int d = 0; d < 3; ++d) {
      if (c[d] == 0) continue;
      const std::size_t before = i - a.diag.stride(d);
      const double w = a.off[d].data[before];
      if (w == 0) continue;
      const double others = a.off[(d + 1) % 3].data[before] + a.off[(d + 2) % 3].data[before];
      pivot -= w * (w + modified * others) * inverse_pivot_[before];
    }
    if (pivot < safe_pivot * a.diag.data[i]) pivot = a.diag.data[i];
    inverse_pivot_[i] = 1 / pivot;
  }
}

void IncompleteCholesky::apply(const Vector& r, Vector& z) {
  const Stencil<double>& a = *a_;
  z.assign(r.size(), 0);
  // (D + L) D⁻¹ (D + Lᵀ) z = r
  for (std::size_t i = 0; i < r.size(); ++i) {
    if (a.diag.data[i] == 0) continue;
    double t = r[i];
    const Vec3i c = a.diag.cell(i);
    for (int d = 0; d < 3; ++d)
      if (c[d] > 0) t += a.off[d].data[i - a.diag.stride(d)] * z[i - a.diag.stride(d)];
    z[i] = t * inverse_pivot_[i];
  }
  for (std::size_t i = r.size(); i-- > 0;) {
    if (a.diag.data[i] == 0) continue;
    double t = 0;
    const Vec3i c = a.diag.cell(i);
    for (int d = 0; d < 3; ++d)
      if (c[d] + 1 < a.n[d]) t += a.off[d].data[i] * z[i + a.diag.stride(d)];
    z[i] += t * inverse_pivot_[i];
  }
}

}  // namespace coracle
