#include "coracle/solve/block_solver.h"

#include "coracle/base/check.h"
#include "coracle/error.h"
#include "coracle/solve/condensed.h"
#include "coracle/solve/leaves.h"
#include "coracle/timer.h"

#include <cholmod.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <new>

// Results must not depend on the number of threads, and some builds of the libraries start their own threads. Those of
// CHOLMOD are four whatever the number of cores, for loops of microseconds: the waiting takes longer than the work.
extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int omp_get_max_active_levels() __attribute__((weak));
void omp_set_max_active_levels(int) __attribute__((weak));
}

namespace coracle {
namespace {

// No loop of the calling thread starts threads of OpenMP while the object lives.
struct OneThread {
  int levels = omp_get_max_active_levels ? omp_get_max_active_levels() : 0;
  OneThread() { set(0); }
  ~OneThread() { set(levels); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  static void set(int levels) {
    if (omp_set_max_active_levels) omp_set_max_active_levels(levels);
  }
};

// METIS handles SIGTERM itself while it works, and gives the program's handler back for one signal only.
struct KeepOnSigterm {
  struct sigaction before {};
  KeepOnSigterm() { ::sigaction(SIGTERM, nullptr, &before); }
  ~KeepOnSigterm() { ::sigaction(SIGTERM, &before, nullptr); }
  KeepOnSigterm(const KeepOnSigterm&) = delete;
  KeepOnSigterm& operator=(const KeepOnSigterm&) = delete;
};

}  // namespace

struct BlockSolver::Cholmod {
  cholmod_common common;
  cholmod_factor* factor = nullptr;
  cholmod_dense *solution = nullptr, *work_y = nullptr, *work_e = nullptr;

  Cholmod() {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    cholmod_start(&common);
    common.print = 0;
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.quick_return_if_not_posdef = true;
  }
  ~Cholmod() {
    forget();
    cholmod_finish(&common);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  void forget() {
    if (factor) cholmod_free_factor(&factor, &common);
    for (cholmod_dense** d : {&solution, &work_y, &work_e})
      if (*d) cholmod_free_dense(d, &common);
  }
};

BlockSolver::BlockSolver() : cholmod_(std::make_unique<Cholmod>()) {}
BlockSolver::~BlockSolver() = default;
BlockSolver::BlockSolver(BlockSolver&&) noexcept = default;
BlockSolver& BlockSolver::operator=(BlockSolver&&) noexcept = default;

void BlockSolver::set_pattern(int nodes, std::vector<std::pair<int, int>> pairs) {
  nodes_ = nodes;
  for (auto& [i, j] : pairs)
    if (i < j) std::swap(i, j);  // row i below column j
  std::sort(pairs.begin(), pairs.end(),
            [](const auto& a, const auto& b) { return std::pair(a.second, a.first) < std::pair(b.second, b.first); });
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  first_.assign(1, 0);
  row_.clear();
  std::size_t next = 0;
  for (int j = 0; j < nodes; ++j) {
    row_.push_back(j);
    for (; next < pairs.size() && pairs[next].second == j; ++next)
      if (pairs[next].first != j) row_.push_back(pairs[next].first);
    first_.push_back(int(row_.size()));
  }
  start_.assign(1, 0);
  index_.clear();
  for (int j = 0; j < nodes; ++j)
    for (int c = 0; c < 3; ++c) {
      for (int b = first_[j]; b < first_[j + 1]; ++b)
        for (int r = b == first_[j] ? c : 0; r < 3; ++r) index_.push_back(3 * row_[b] + r);
      start_.push_back(int(index_.size()));
    }
  value_.assign(index_.size(), 0);
  cholmod_->forget();
  cg_.reset();
  leaves_.reset();
  if (leaf_count_ > 0) {
    condensed_.reset();
    leaves_ = std::make_unique<Leaves>();
    leaves_->system.followers_ = followers_;
    leaves_->system.factor_only_ = factor_only_;
    leaves_->set_pattern(nodes, leaf_count_, first_, row_);
    return;
  }
  if (!followers_.empty()) {
    if (!condensed_ || condensed_->system.factor_only_ != factor_only_) condensed_ = std::make_unique<Condensed>();
    condensed_->system.factor_only_ = factor_only_;
    condensed_->set_pattern(nodes, followers_, first_, row_);
    return;
  }
  condensed_.reset();
  if (nodes > always_factorised && !factor_only_) {
    cg_ = std::make_unique<BlockCg>();
    cg_->set_pattern(first_, row_);
    column_of_.clear();
    for (int j = 0; j < nodes; ++j) column_of_.insert(column_of_.end(), first_[j + 1] - first_[j], j);
  }
}

void BlockSolver::keep() { kept_ = value_; }
void BlockSolver::go_back() {
  CHECK(kept_.size() == value_.size());
  value_ = kept_;
}
void BlockSolver::clear() { std::fill(value_.begin(), value_.end(), 0.0); }

BlockSolver::Slot BlockSolver::slot(int i, int j) const {
  Slot s;
  s.transposed = i < j;
  if (s.transposed) std::swap(i, j);
  const auto begin = row_.begin() + first_[j] + 1, end = row_.begin() + first_[j + 1];
  const auto it = std::lower_bound(begin, end, i);
  CHECK(it != end && *it == i);
  const int block = int(it - begin);  // counted from the first below the diagonal
  const auto column = [&](int c) { return start_[3 * j + c] + (3 - c) + 3 * block; };
  s.at = column(0);
  s.stride[0] = column(1) - column(0);
  s.stride[1] = column(2) - column(0);
  return s;
}

void BlockSolver::add(const Slot& s, const Mat3& block) {
  for (int c = 0; c < 3; ++c) {
    double* to = &value_[s.at + (c ? s.stride[c - 1] : 0)];
    for (int r = 0; r < 3; ++r) to[r] += s.transposed ? block(c, r) : block(r, c);
  }
}

void BlockSolver::add_diagonal(int i, const Mat3& block) {
  for (int c = 0; c < 3; ++c)
    for (int r = c; r < 3; ++r) value_[start_[3 * i + c] + r - c] += block(r, c);
}

Mat3 BlockSolver::block_at(int j, int k) const {
  const int below = k - first_[j];
  Mat3 block;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      block(r, c) = below > 0 ? value_[start_[3 * j + c] + (3 - c) + 3 * (below - 1) + r]
                              : value_[start_[3 * j + std::min(r, c)] + std::abs(r - c)];
  return block;
}

double BlockSolver::largest_diagonal() const {
  double largest = 0;
  for (int i = 0; i < nodes_; ++i) largest = std::max(largest, value_[start_[3 * i]]);
  return largest;
}

void BlockSolver::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const {
  if (condensed_) {
    std::vector<Vec3> product;
    condensed_->system.multiply(condensed_->free_of(x), product);
    condensed_->put_free(product, y);
    for (const Follower& f : followers_) y[f.node] = condensed_->idle * x[f.node];
    return;
  }
  multiply_all(x, y);
}

void BlockSolver::multiply_all(const std::vector<Vec3>& x, std::vector<Vec3>& y) const { multiply_by(value_, x, y); }

void BlockSolver::multiply_kept(const std::vector<Vec3>& x, std::vector<Vec3>& y) const {
  CHECK(kept_.size() == value_.size());
  multiply_by(kept_, x, y);
}

void BlockSolver::multiply_by(const std::vector<double>& value, const std::vector<Vec3>& x,
                              std::vector<Vec3>& y) const {
  y.assign(nodes_, Vec3::Zero());
  for (int j = 0; j < nodes_; ++j) {
    using Column = Eigen::Map<const Vec3>;
    const double* column[3];  // below the block on the diagonal
    for (int c = 0; c < 3; ++c) column[c] = &value[start_[3 * j + c]] + (3 - c);
    const double *a = column[0] - 3, *b = column[1] - 2, *d = column[2] - 1;
    const Vec3& xj = x[j];
    Vec3 sum(a[0] * xj[0] + a[1] * xj[1] + a[2] * xj[2], a[1] * xj[0] + b[0] * xj[1] + b[1] * xj[2],
             a[2] * xj[0] + b[1] * xj[1] + d[0] * xj[2]);
    for (int k = first_[j] + 1, at = 0; k < first_[j + 1]; ++k, at += 3) {
      const Column p(column[0] + at), q(column[1] + at), r(column[2] + at);
      const Vec3& xi = x[row_[k]];
      y[row_[k]] += xj[0] * p + xj[1] * q + xj[2] * r;
      sum += Vec3(p.dot(xi), q.dot(xi), r.dot(xi));
    }
    y[j] += sum;
  }
}

void BlockSolver::constrain(const std::vector<Fixed>& fixed) {
  fixed_ = fixed;
  shift_.clear();
  if (fixed.empty()) return;
  // x = P y + (1 − P) value:  P B P y = P (rhs − B (1 − P) value).
  std::vector<const Fixed*> at(nodes_, nullptr);
  std::vector<Vec3> held(nodes_, Vec3::Zero());
  const double scale = largest_diagonal();
  for (const Fixed& f : fixed) {
    at[f.node] = &f;
    held[f.node] = f.value - f.free * f.value;
  }
  multiply(held, shift_);
  for (int i = 0; i < nodes_; ++i) {
    shift_[i] = -shift_[i];
    if (at[i]) shift_[i] = at[i]->free * shift_[i] + scale * held[i];
  }
  for (int j = 0; j < nodes_; ++j)
    for (int b = first_[j]; b < first_[j + 1]; ++b) {
      const int i = row_[b];
      if (!at[i] && !at[j]) continue;
      Mat3 block;
      const bool diagonal = i == j;
      const auto value = [&](int r, int c) -> double& {
        return value_[start_[3 * j + c] + (diagonal ? r - c : (3 - c) + 3 * (b - first_[j] - 1) + r)];
      };
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) block(r, c) = diagonal && r < c ? value(c, r) : value(r, c);
      if (at[i]) block = at[i]->free * block;
      if (at[j]) block = block * at[j]->free;
      if (diagonal) block += scale * (Mat3::Identity() - at[i]->free);
      for (int c = 0; c < 3; ++c)
        for (int r = diagonal ? c : 0; r < 3; ++r) value(r, c) = block(r, c);
    }
}

void BlockSolver::constrain_rhs(std::vector<Vec3>& rhs) const {
  if (condensed_) {
    std::vector<Vec3> b = condensed_->lead(rhs);
    condensed_->system.constrain_rhs(b);
    condensed_->put_free(b, rhs);
    return;
  }
  for (const Fixed& f : fixed_) rhs[f.node] = f.free * rhs[f.node];
  for (std::size_t i = 0; i < shift_.size(); ++i) rhs[i] += shift_[i];
}

bool BlockSolver::factor(const std::vector<Fixed>& fixed) {
  if (leaves_) {
    const auto begin = std::chrono::steady_clock::now();
    const bool ready = leaves_->set_values([&](int j, int k) { return block_at(j, k); }) &&
                       (leaves_->stem() == 0 || leaves_->system.factor(fixed));
    factor_s_ = seconds_since(begin);
    return ready;
  }
  if (condensed_) return factor_condensed(fixed);
  constrain(fixed);
  const auto begin = std::chrono::steady_clock::now();
  factorised_ = !cg_;
  const bool ready =
      cg_ ? cg_->set_values([&](std::size_t k) { return block_at(column_of_[k], int(k)); }) : factorise();
  factor_s_ = seconds_since(begin);
  return ready;
}

// First condense, then constrain: where a held node leads, its followers are held with it.
bool BlockSolver::factor_condensed(const std::vector<Fixed>& fixed) {
  const auto begin = std::chrono::steady_clock::now();
  fixed_ = fixed;
  std::vector<Fixed> of_free = fixed;
  for (Fixed& f : of_free) {
    f.node = condensed_->place(f.node);
    CHECK(f.node >= 0);
  }
  condensed_->set_values([&](int j, int k) { return block_at(j, k); });
  condensed_->idle = condensed_->system.largest_diagonal();
  const bool ready = condensed_->system.factor(of_free);
  factor_s_ = seconds_since(begin);
  return ready;
}

bool BlockSolver::factorise() {
  cholmod_sparse a{};
  a.nrow = a.ncol = std::size_t(3) * nodes_;
  a.nzmax = value_.size();
  a.p = start_.data(), a.i = index_.data(), a.x = value_.data();
  a.stype = -1;
  a.itype = CHOLMOD_INT, a.xtype = CHOLMOD_REAL, a.dtype = CHOLMOD_DOUBLE;
  a.sorted = a.packed = 1;
  cholmod_common& common = cholmod_->common;
  const OneThread one_thread;
  if (!cholmod_->factor) {
    const KeepOnSigterm keep;
    cholmod_->factor = cholmod_analyze(&a, &common);
  }
  const bool done = cholmod_->factor && cholmod_factorize(&a, cholmod_->factor, &common);
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  return done && common.status == CHOLMOD_OK;
}

bool BlockSolver::back_substitute(std::vector<Vec3>& x, std::vector<Vec3>& rhs, double tolerance) {
  if (!factorised_) {
    if (cg_->solve(x, rhs, tolerance, int(most_iterations(nodes_)))) return true;
    factorised_ = factorise();
    if (!factorised_) return false;
  }
  cholmod_dense dense{};
  dense.nrow = dense.nzmax = dense.d = std::size_t(3) * nodes_;
  dense.ncol = 1;
  dense.x = rhs.data();
  dense.xtype = CHOLMOD_REAL, dense.dtype = CHOLMOD_DOUBLE;
  Cholmod& c = *cholmod_;
  if (!cholmod_solve2(CHOLMOD_A, c.factor, &dense, nullptr, &c.solution, nullptr, &c.work_y, &c.work_e, &c.common)) {
    if (c.common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    return false;
  }
  x.resize(nodes_);
  std::copy_n(static_cast<const double*>(c.solution->x), dense.nrow, reinterpret_cast<double*>(x.data()));
  return std::all_of(x.begin(), x.end(), [](const Vec3& v) { return v.allFinite(); });
}

bool BlockSolver::solve(std::vector<Vec3>& x, const std::vector<Vec3>& rhs) {
  if (leaves_) {
    const std::vector<Vec3> stem = leaves_->stem_of(rhs);
    if (leaves_->stem() > 0 && !leaves_->system.solve(x, stem)) return false;
    leaves_->complete(rhs, x);
    return true;
  }
  if (condensed_) {
    std::vector<Vec3> y;
    if (!condensed_->system.solve(y, condensed_->lead(rhs))) return false;
    condensed_->follow(y, x);
    return true;
  }
  std::vector<Vec3> b = rhs;
  constrain_rhs(b);
  // Constrained values have separate equations. Leave them out: they must not set the scale of the residual.
  for (const Fixed& f : fixed_) b[f.node] = f.free * b[f.node];
  if (!back_substitute(x, b, least_tolerance)) return false;
  for (const Fixed& f : fixed_) x[f.node] = f.free * x[f.node] + f.value - f.free * f.value;
  return true;
}

void BlockSolver::solve_free(std::vector<Vec3>& x, const std::vector<Vec3>& rhs, double tolerance) {
  if (condensed_) {
    std::vector<Vec3> y;
    condensed_->system.solve_free(y, condensed_->lead(rhs), tolerance);
    condensed_->follow(y, x);
    return;
  }
  std::vector<Vec3> b = rhs;
  for (const Fixed& f : fixed_) b[f.node] = f.free * b[f.node];
  if (!back_substitute(x, b, tolerance)) x.assign(nodes_, Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
}

// ---- Followers

void BlockSolver::follow(std::vector<Vec3>& v) const {
  if (leaves_) {
    std::vector<Vec3> stem(v.begin(), v.begin() + leaves_->stem());
    leaves_->system.follow(stem);
    std::copy(stem.begin(), stem.end(), v.begin());
    return;
  }
  if (condensed_) condensed_->follow(condensed_->free_of(v), v);
}
void BlockSolver::lead(std::vector<Vec3>& f) const {
  if (condensed_) condensed_->put_free(condensed_->lead(f), f);
}
bool BlockSolver::by_iterations() const { return condensed_ ? free_system().by_iterations() : cg_ && !factorised_; }
const BlockSolver& BlockSolver::free_system() const { return condensed_->system; }
int BlockSolver::free_place(int node) const { return condensed_->place(node); }
int BlockSolver::free_node(int place) const { return condensed_->node(place); }
double BlockSolver::idle_diagonal() const { return condensed_->idle; }

}  // namespace coracle
