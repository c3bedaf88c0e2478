#include "coracle/solve/multigrid.h"

#include "coracle/base/for_cells.h"

#include <Eigen/Cholesky>

namespace coracle {
namespace {

constexpr float coarse_scale = 0.5f;   // 1.0 triples the iterations, 0.6 adds half
constexpr int sweeps = 2;              // before and after the coarse correction
constexpr int coarsest = 6;            // cells along the longest side
constexpr double coarse_shift = 1e-6;  // relative; keeps closed pockets regular

Vec3i halved(const Vec3i& n) { return (n.array() + 1) / 2; }

// Sum of the couplings of cell i.
template <class T>
T coupling_sum(const Stencil<T>& a, std::size_t i) {
  const Vec3i c = a.diag.cell(i);
  T sum = 0;
  for (int d = 0; d < 3; ++d) sum += a.off[d].data[i] + (c[d] > 0 ? a.off[d].data[i - a.diag.stride(d)] : T(0));
  return sum;
}

// The coupling of two aggregates is the sum over their cells, and so is the excess; couplings inside one drop out.
void coarsen(const Stencil<float>& fine, const std::vector<float>& fine_excess, Stencil<float>& coarse,
             std::vector<float>& coarse_excess) {
  coarse.assign(halved(fine.n));
  coarse_excess.assign(coarse.diag.size(), 0);
  for_rows(coarse.n, [&](std::size_t, int cj, int ck) {
    for (int k = 2 * ck; k < std::min(2 * ck + 2, fine.n.z()); ++k)
      for (int j = 2 * cj; j < std::min(2 * cj + 2, fine.n.y()); ++j)
        for (int i = 0; i < fine.n.x(); ++i) {
          const std::size_t f = fine.diag.index(i, j, k), c = coarse.diag.index(i / 2, cj, ck);
          coarse_excess[c] += coarse_scale * fine_excess[f];
          const int at[3] = {i, j, k};
          for (int a = 0; a < 3; ++a)
            if (at[a] % 2 == 1) coarse.off[a].data[c] += coarse_scale * fine.off[a].data[f];
        }
  });
  for_each_index(coarse.diag.size(),
                 [&](std::size_t i) { coarse.diag.data[i] = coupling_sum(coarse, i) + coarse_excess[i]; });
}

// One half sweep of Gauss–Seidel on the cells of one colour. Computes the whole row and keeps every second value:
// unlike a loop over every second cell, this is vectorised. Cells of one colour are not coupled.
template <class Level>
void relax(Level& l, int colour) {
  const int nx = l.a.n.x();
  for_rows(l.a.n, [&](std::size_t r, int j, int k) {
    const auto [first, last] = l.a.span[r];
    if (first >= last) return;
    float* x = l.values() + r * nx;
    const float *inverse = l.inverse_diag.data() + r * nx, *b = l.b.data() + r * nx;
    const StencilRow<float> row(l.a, l.values(), r, j, k, l.zeros);
    const int odd = (j + k + colour) & 1;
    if (first == 0 && odd == 0) x[0] = inverse[0] * (b[0] + row.sum_first(0));
#pragma GCC ivdep
    for (int i = std::max(first, 1); i < last; ++i) {
      const float value = inverse[i] * (b[i] + row.sum(i));
      x[i] = ((i ^ odd) & 1) ? x[i] : value;
    }
  });
}

}  // namespace

Multigrid::Multigrid() : coarse_(std::make_unique<Eigen::LLT<Eigen::MatrixXd>>()) {}
Multigrid::~Multigrid() = default;

void Multigrid::set_up(const Stencil<double>& a, const std::vector<std::pair<int, double>>& extra) {
  std::size_t count = 1;
  for (Vec3i n = a.n; n.maxCoeff() > coarsest; n = halved(n)) ++count;
  levels_.resize(count);
  Stencil<float>& top = levels_[0].a;
  if (top.n != a.n) top.assign(a.n);
  levels_[0].excess.resize(a.diag.size());
  for_each_index(a.diag.size(), [&](std::size_t i) {
    top.diag.data[i] = float(a.diag.data[i]);
    const double excess = a.diag.data[i] - coupling_sum(a, i);
    levels_[0].excess[i] = excess > 1e-12 * a.diag.data[i] ? float(excess) : 0;
    for (int d = 0; d < 3; ++d) top.off[d].data[i] = float(a.off[d].data[i]);
  });
  for (const auto& [cell, value] : extra) {
    top.diag.data[cell] += float(value);
    levels_[0].excess[cell] += float(value);
  }
  for (std::size_t l = 1; l < count; ++l)
    coarsen(levels_[l - 1].a, levels_[l - 1].excess, levels_[l].a, levels_[l].excess);

  for (Level& l : levels_) {
    const std::size_t size = l.a.diag.size();
    l.inverse_diag.resize(size);
    l.x.assign(size + 2, 0), l.b.assign(size, 0);
    l.zeros.assign(std::size_t(l.a.n.x()) + 1, 0);
    for_each_index(size, [&](std::size_t c) {
      const float d = l.a.diag.data[c];
      l.inverse_diag[c] = d > 0 ? 1 / d : 0;
    });
    l.a.find_spans();
  }

  // The coarsest level, dense.
  const Stencil<float>& c = levels_.back().a;
  coarse_cells_.clear();
  std::vector<int> unknown(c.diag.size(), -1);
  for (std::size_t i = 0; i < c.diag.size(); ++i)
    if (c.diag.data[i] > 0) {
      unknown[i] = int(coarse_cells_.size());
      coarse_cells_.push_back(int(i));
    }
  const int m = int(coarse_cells_.size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(m, m);
  for (int r = 0; r < m; ++r) {
    const int i = coarse_cells_[r];
    dense(r, r) = (1 + coarse_shift) * c.diag.data[i];
    for (int d = 0; d < 3; ++d) {
      const float w = c.off[d].data[i];
      if (w == 0) continue;
      const int other = unknown[i + c.diag.stride(d)];
      dense(r, other) -= w, dense(other, r) -= w;
    }
  }
  coarse_->compute(dense);
}

void Multigrid::cycle(std::size_t level) {
  Level& l = levels_[level];
  const int nx = l.a.n.x();
  if (level + 1 == levels_.size()) {
    Eigen::VectorXd b(coarse_cells_.size());
    for (std::size_t r = 0; r < coarse_cells_.size(); ++r) b[r] = l.b[coarse_cells_[r]];
    const Eigen::VectorXd x = coarse_->solve(b);
    for (std::size_t r = 0; r < coarse_cells_.size(); ++r) l.values()[coarse_cells_[r]] = float(x[r]);
    return;
  }
  // Smooth from zero: the first half sweep only divides by the diagonal.
  for_rows(l.a.n, [&](std::size_t r, int j, int k) {
    float* x = l.values() + r * nx;
    const float *inverse = l.inverse_diag.data() + r * nx, *b = l.b.data() + r * nx;
    const int odd = (j + k) & 1;
    for (int i = l.a.span[r].first; i < l.a.span[r].second; ++i) x[i] = ((i ^ odd) & 1) ? 0.0f : inverse[i] * b[i];
  });
  relax(l, 1);
  for (int s = 1; s < sweeps; ++s) relax(l, 0), relax(l, 1);

  // Residual, summed over aggregates.
  Level& coarse = levels_[level + 1];
  const int coarse_nx = coarse.a.n.x();
  for_rows(coarse.a.n, [&](std::size_t crow, int cj, int ck) {
    float* b = coarse.b.data() + crow * coarse_nx;
    std::fill(b, b + coarse_nx, 0.0f);
    thread_local std::vector<float> residual;
    residual.assign(std::size_t(2) * coarse_nx, 0);
    bool any = false;
    for (int k = 2 * ck; k < std::min(2 * ck + 2, l.a.n.z()); ++k)
      for (int j = 2 * cj; j < std::min(2 * cj + 2, l.a.n.y()); ++j) {
        const std::size_t r = std::size_t(j) + std::size_t(l.a.n.y()) * k;
        const auto [first, last] = l.a.span[r];
        if (first >= last) continue;
        any = true;
        const StencilRow<float> row(l.a, l.values(), r, j, k, l.zeros);
        const float *diag = l.a.diag.data.data() + r * nx, *rhs = l.b.data() + r * nx;
        const float* inverse = l.inverse_diag.data() + r * nx;
        float* out = residual.data();
        if (first == 0 && inverse[0] != 0) out[0] += rhs[0] - diag[0] * row.x[0] + row.sum_first(0);
#pragma GCC ivdep
        for (int i = std::max(first, 1); i < last; ++i) {
          const float value = rhs[i] - diag[i] * row.x[i] + row.sum(i);
          out[i] += inverse[i] != 0 ? value : 0.0f;
        }
      }
    if (!any) return;
    for (int i = 0; i < coarse_nx; ++i) b[i] = residual[2 * i] + residual[2 * i + 1];
  });
  cycle(level + 1);
  for_rows(l.a.n, [&](std::size_t r, int j, int k) {
    const float* up = coarse.values() + coarse.a.diag.index(0, j / 2, k / 2);
    float* x = l.values() + r * nx;
    const float* inverse = l.inverse_diag.data() + r * nx;
    for (int i = l.a.span[r].first; i < l.a.span[r].second; ++i) x[i] += inverse[i] != 0 ? up[i / 2] : 0.0f;
  });
  for (int s = 0; s < sweeps; ++s) relax(l, 1), relax(l, 0);
}

void Multigrid::apply(const Vector& r, Vector& z) {
  Level& top = levels_[0];
  const int nx = top.a.n.x();
  const auto for_spans = [&](auto&& f) {
    for_rows(top.a.n, [&](std::size_t row, int, int) {
      for (std::size_t i = row * nx + top.a.span[row].first; i < row * nx + top.a.span[row].second; ++i) f(i);
    });
  };
  for_spans([&](std::size_t i) { top.b[i] = float(r[i]); });
  cycle(0);
  if (z.size() != r.size()) z.assign(r.size(), 0);
  for_spans([&](std::size_t i) { z[i] = double(top.values()[i]); });
}

}  // namespace coracle
