#include "coracle/solve/multigrid.h"

#include "coracle/base/parallel.h"

namespace coracle {
namespace {

constexpr float coarse_scale = 0.5f;   // 1.0 triples the iterations, 0.6 adds half
constexpr int sweeps = 2;              // before and after
constexpr int coarsest = 6;            // cells along the longest side
constexpr double coarse_shift = 1e-6;  // relative, keeps closed pockets regular
constexpr std::size_t row_block = 32;

Vec3i halved(const Vec3i& n) { return (n.array() + 1) / 2; }

// f(row, j, k) on all rows, in parallel.
template <class F>
void for_rows(const Vec3i& n, F&& f) {
  for_blocks(std::size_t(n.y()) * n.z(), row_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) f(row, int(row % n.y()), int(row / n.y()));
  });
}

// Σ of the couplings of cell i.
template <class T>
T coupling_sum(const Stencil<T>& a, std::size_t i) {
  const Vec3i c = a.diag.cell(i);
  T sum = 0;
  for (int d = 0; d < 3; ++d) sum += a.off[d].data[i] + (c[d] > 0 ? a.off[d].data[i - a.diag.stride(d)] : T(0));
  return sum;
}

// Couplings that leave an aggregate and what ties it to the outside add up; couplings inside it vanish.
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

// One half sweep of Gauss–Seidel on the cells of a colour.
template <class Level>
void relax(Level& l, int colour) {
  const Stencil<float>& a = l.a;
  const std::size_t sy = a.diag.stride(1), sz = a.diag.stride(2);
  const int nx = a.n.x();
  float* x = l.x.data();
  for_rows(a.n, [&](std::size_t row, int j, int k) {
    const auto [first, last] = l.span[row];
    int i = first + ((first + j + k + colour) & 1);
    for (; i < last; i += 2) {
      const std::size_t c = row * nx + i;
      x[c] = l.inverse_diag[c] * (l.b[c] + neighbour_sum(a, x, c, i, j, k, sy, sz));
    }
  });
}

}  // namespace

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
    l.x.assign(size, 0), l.b.assign(size, 0);
    l.span.resize(l.a.rows());
    for_rows(l.a.n, [&](std::size_t row, int, int) {
      int first = l.a.n.x(), last = 0;
      for (int i = 0; i < l.a.n.x(); ++i) {
        const std::size_t c = row * l.a.n.x() + i;
        const float d = l.a.diag.data[c];
        l.inverse_diag[c] = d > 0 ? 1 / d : 0;
        if (d > 0) first = std::min(first, i), last = i + 1;
      }
      l.span[row] = {first, last};
    });
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
  coarse_.compute(dense);
}

void Multigrid::cycle(std::size_t level) {
  Level& l = levels_[level];
  if (level + 1 == levels_.size()) {
    Eigen::VectorXd b(coarse_cells_.size());
    for (std::size_t r = 0; r < coarse_cells_.size(); ++r) b[r] = l.b[coarse_cells_[r]];
    const Eigen::VectorXd x = coarse_.solve(b);
    for (std::size_t r = 0; r < coarse_cells_.size(); ++r) l.x[coarse_cells_[r]] = float(x[r]);
    return;
  }
  // Smooth from zero: the first half sweep is a division.
  for_rows(l.a.n, [&](std::size_t row, int j, int k) {
    for (int i = l.span[row].first; i < l.span[row].second; ++i) {
      const std::size_t c = row * l.a.n.x() + i;
      l.x[c] = (i + j + k) % 2 == 0 ? l.inverse_diag[c] * l.b[c] : 0;
    }
  });
  relax(l, 1);
  for (int s = 1; s < sweeps; ++s) relax(l, 0), relax(l, 1);

  // Residual, summed over aggregates.
  const std::size_t sy = l.a.diag.stride(1), sz = l.a.diag.stride(2);
  Level& coarse = levels_[level + 1];
  for_rows(coarse.a.n, [&](std::size_t crow, int cj, int ck) {
    float* b = coarse.b.data() + crow * coarse.a.n.x();
    std::fill(b, b + coarse.a.n.x(), 0.0f);
    for (int k = 2 * ck; k < std::min(2 * ck + 2, l.a.n.z()); ++k)
      for (int j = 2 * cj; j < std::min(2 * cj + 2, l.a.n.y()); ++j) {
        const std::size_t row = std::size_t(j) + std::size_t(l.a.n.y()) * k;
        for (int i = l.span[row].first; i < l.span[row].second; ++i) {
          const std::size_t c = row * l.a.n.x() + i;
          if (l.inverse_diag[c] == 0) continue;
          b[i / 2] += l.b[c] - l.a.diag.data[c] * l.x[c] + neighbour_sum(l.a, l.x.data(), c, i, j, k, sy, sz);
        }
      }
  });
  cycle(level + 1);
  for_rows(l.a.n, [&](std::size_t row, int j, int k) {
    const float* xc = coarse.x.data() + coarse.a.diag.index(0, j / 2, k / 2);
    for (int i = l.span[row].first; i < l.span[row].second; ++i) {
      const std::size_t c = row * l.a.n.x() + i;
      if (l.inverse_diag[c] != 0) l.x[c] += xc[i / 2];
    }
  });
  for (int s = 0; s < sweeps; ++s) relax(l, 1), relax(l, 0);
}

void Multigrid::apply(const Vector& r, Vector& z) {
  Level& top = levels_[0];
  for_each_index(r.size(), [&](std::size_t i) { top.b[i] = float(r[i]); });
  cycle(0);
  z.resize(r.size());
  for_each_index(r.size(), [&](std::size_t i) { z[i] = double(top.x[i]); });
}

}  // namespace coracle
