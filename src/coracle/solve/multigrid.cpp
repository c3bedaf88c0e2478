#include "coracle/solve/multigrid.h"

#include "coracle/base/for_cells.h"

#include <Eigen/Cholesky>

namespace coracle {
namespace {

constexpr double coarse_shift = 1e-6;  // relative; keeps closed pockets regular

Vec3i halved(const Vec3i& n) {
  return n.unaryExpr([](int side) { return coracle::halved(side); });
}

// The operator between aggregates of the fine level's cells.
void coarsen(const Stencil<float>& fine, const std::vector<float>& fine_excess, Stencil<float>& coarse,
             std::vector<float>& coarse_excess) {
  coarse.assign(halved(fine.n));
  coarse_excess.resize(coarse.diag.size());
  for_rows(coarse.n, [&](std::size_t row, int j, int k) {
    for (int i = 0; i < coarse.n.x(); ++i) {
      const std::size_t c = row * coarse.n.x() + i;
      const Aggregate sum = aggregate(view(fine), fine_excess.data(), i, j, k);
      for (int a = 0; a < 3; ++a) coarse.off[a].data[c] = sum.off[a];
      coarse_excess[c] = sum.excess;
    }
  });
  for_rows(coarse.n, [&](std::size_t row, int j, int k) {
    for (int i = 0; i < coarse.n.x(); ++i)
      coarse.diag(i, j, k) = coupling_sum(view(coarse), i, j, k) + coarse_excess[row * coarse.n.x() + i];
  });
}

// One half sweep of Gauss–Seidel on the cells of one colour. Computes the whole row and keeps every second value:
// unlike a loop over every second cell, this is vectorised. Cells of one colour are not coupled.
template <class Level>
void relax(Level& l, int colour) {
  const int nx = l.a.n.x();
  for_rows(l.a.n, [&](std::size_t r, int, int) {
    const auto [first, last] = l.a.span[r];
    if (first >= last) return;
    float* x = l.values() + r * nx;
    const float *inverse = l.inverse_diag.data() + r * nx, *b = l.b.data() + r * nx;
    const StencilRow<float> row(view(l.a), l.values(), int(r), l.zeros.data());
    const int odd = parity_of(int(r), l.a.n.y(), colour);
    if (first == 0 && odd == 0) x[0] = inverse[0] * (b[0] + row.sum_first(0));
#pragma GCC ivdep
    for (int i = std::max(first, 1); i < last; ++i) {
      const float value = relaxed(row, inverse[i], b[i], i);
      x[i] = ((i ^ odd) & 1) ? x[i] : value;
    }
  });
}

}  // namespace

CoarseMatrix coarse_matrix(const StencilView<float>& a) {
  CoarseMatrix coarse;
  const std::size_t size = std::size_t(a.nx) * a.rows();
  std::vector<int> unknown(size, -1);
  for (std::size_t i = 0; i < size; ++i)
    if (a.diag[i] > 0) {
      unknown[i] = int(coarse.cells.size());
      coarse.cells.push_back(int(i));
    }
  const Eigen::Index m = Eigen::Index(coarse.cells.size());
  const std::size_t stride[] = {1, std::size_t(a.nx), std::size_t(a.nx) * a.ny};
  coarse.values = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index r = 0; r < m; ++r) {
    const int i = coarse.cells[r];
    coarse.values(r, r) = (1 + coarse_shift) * a.diag[i];
    for (int d = 0; d < 3; ++d) {
      const float w = a.off[d][i];
      if (w == 0) continue;
      const int other = unknown[i + stride[d]];
      coarse.values(r, other) -= w, coarse.values(other, r) -= w;
    }
  }
  return coarse;
}

Multigrid::Multigrid() : coarse_(std::make_unique<Eigen::LLT<Eigen::MatrixXd>>()) {}
Multigrid::~Multigrid() = default;

void Multigrid::set_up(const Stencil<double>& a, const std::vector<std::pair<int, double>>& extra) {
  std::size_t count = 1;
  for (Vec3i n = a.n; n.maxCoeff() > coarsest_side; n = halved(n)) ++count;
  levels_.resize(count);
  Stencil<float>& top = levels_[0].a;
  if (top.n != a.n) top.assign(a.n);
  levels_[0].excess.resize(a.diag.size());
  for_each_index(a.diag.size(), [&](std::size_t i) {
    top.diag.data[i] = float(a.diag.data[i]);
    const Vec3i c = a.diag.cell(i);
    levels_[0].excess[i] = excess_of(a.diag.data[i], coupling_sum(view(a), c.x(), c.y(), c.z()));
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

  CoarseMatrix c = coarse_matrix(view(levels_.back().a));
  coarse_cells_ = std::move(c.cells);
  coarse_->compute(c.values);
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
  for_rows(l.a.n, [&](std::size_t r, int, int) {
    float* x = l.values() + r * nx;
    const float *inverse = l.inverse_diag.data() + r * nx, *b = l.b.data() + r * nx;
    const int odd = parity_of(int(r), l.a.n.y(), 0);
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
    thread_local std::vector<float> residuals;
    residuals.assign(std::size_t(2) * coarse_nx, 0);
    bool any = false;
    for (int k = 2 * ck; k < std::min(2 * ck + 2, l.a.n.z()); ++k)
      for (int j = 2 * cj; j < std::min(2 * cj + 2, l.a.n.y()); ++j) {
        const std::size_t r = std::size_t(j) + std::size_t(l.a.n.y()) * k;
        const auto [first, last] = l.a.span[r];
        if (first >= last) continue;
        any = true;
        const StencilRow<float> row(view(l.a), l.values(), int(r), l.zeros.data());
        const float *diag = l.a.diag.data.data() + r * nx, *rhs = l.b.data() + r * nx;
        const float* inverse = l.inverse_diag.data() + r * nx;
        float* out = residuals.data();
        if (first == 0 && inverse[0] != 0) out[0] += rhs[0] - diag[0] * row.x[0] + row.sum_first(0);
#pragma GCC ivdep
        for (int i = std::max(first, 1); i < last; ++i) {
          const float value = residual(row, diag[i], rhs[i], i);
          out[i] += inverse[i] != 0 ? value : 0.0f;
        }
      }
    if (!any) return;
    for (int i = 0; i < coarse_nx; ++i) b[i] = residuals[2 * i] + residuals[2 * i + 1];
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
