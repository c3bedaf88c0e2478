#include "coracle/base/parallel.h"
#include "coracle/solve/bicgstab.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/solve/incomplete_cholesky.h"
#include "coracle/solve/multigrid.h"
#include "coracle/solve/pressure_solver.h"
#include "coracle/timer.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

// Inexact products with W may become less exact as the residual falls: the relative error of a product stays below this
// share of (target residual) / (current residual) [SimonciniSzyld03].
constexpr double inner_share = 0.02;
constexpr double tightest_product = 1e-10;

// Deflation by Z E⁻¹ Zᵀ.
class Deflation {
 public:
  Deflation(const CellSets& sets, WetTerm* wet, std::size_t cells) : sets_(sets), wet_(wet) {
    if (sets.empty()) return;
    const Eigen::Index k = Eigen::Index(sets.size());
    Eigen::MatrixXd energy(k, k);
    Vector indicator(cells, 0);
    for (Eigen::Index j = 0; j < k; ++j) {
      for (int i : sets[j]) indicator[i] = 1;
      Eigen::VectorXd column = Eigen::VectorXd::Zero(k);
      wet_->subtract_sums(indicator, column);
      for (int i : sets[j]) indicator[i] = 0;
      energy.col(j) = -column;
    }
    energy_.compute(energy);
  }
  bool empty() const { return sets_.empty(); }

  // x ← x + Z E⁻¹ Zᵀ r
  void add_coarse(const Vector& r, Vector& x) const { add(sums(r), x); }
  // z ← z − Z E⁻¹ (Zᵀ A z) + Z E⁻¹ Zᵀ r
  void correct(const Vector& r, Vector& z) const {
    Eigen::VectorXd t = sums(r);
    wet_->subtract_sums(z, t);
    add(t, z);
  }

 private:
  Eigen::VectorXd sums(const Vector& r) const {
    Eigen::VectorXd t(Eigen::Index(sets_.size()));
    for (std::size_t p = 0; p < sets_.size(); ++p) {
      double sum = 0;
      for (int i : sets_[p]) sum += r[i];
      t[Eigen::Index(p)] = sum;
    }
    return t;
  }
  void add(const Eigen::VectorXd& t, Vector& x) const {
    const Eigen::VectorXd level = energy_.solve(t);
    for (std::size_t p = 0; p < sets_.size(); ++p)
      for (int i : sets_[p]) x[i] += level[Eigen::Index(p)];
  }

  const CellSets& sets_;
  WetTerm* wet_;
  Eigen::PartialPivLU<Eigen::MatrixXd> energy_;
};

class CpuPressureSolver : public PressureSolver {
 public:
  SolveReport solve(const PressureEquation& equation, const PressureOptions& options, Vector& q) override {
    const auto start = std::chrono::steady_clock::now();
    const Stencil<double>& matrix = equation.matrix;
    WetTerm* wet = equation.wet;
    if (options.multigrid)
      multigrid_.set_up(matrix, wet ? wet->lumped() : std::vector<std::pair<int, double>>{});
    else
      cholesky_.set_up(matrix);
    const Deflation deflation(equation.deflated, wet, equation.rhs.size());
    const double setup_s = seconds_since(start);

    const auto solving = std::chrono::steady_clock::now();
    const std::vector<Range> support = support_of(matrix);
    double product_tolerance = tightest_product;
    const Apply multiply_a = [&](const Vector& x, Vector& y) {
      multiply(matrix, x, y);
      // A product that no preconditioner precedes, such as the one that checks the residual, is as exact as can be.
      if (wet) wet->add(x, std::exchange(product_tolerance, tightest_product), y);
    };
    const double rhs_norm = norm(equation.rhs);
    const Apply precondition = [&](const Vector& r, Vector& z) {
      if (wet && !wet->exact()) {
        double size = 0;
        for (const Range& row : support)
          for (std::size_t i = row.begin; i < row.end; ++i) size += r[i] * r[i];
        product_tolerance = std::max(tightest_product, inner_share * options.tolerance * rhs_norm / std::sqrt(size));
      }
      options.multigrid ? multigrid_.apply(r, z) : cholesky_.apply(r, z);
      if (!deflation.empty()) deflation.correct(r, z);
    };
    if (!deflation.empty()) {  // start with the right mean in every deflated set
      Vector r;
      multiply_a(q, r);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = equation.rhs[i] - r[i];
      deflation.add_coarse(r, q);
    }
    CgOptions cg;
    cg.tolerance = options.tolerance;
    cg.max_iterations = options.max_iterations;
    cg.floor = options.floor;
    cg.support = support;
    cg.vectors = &vectors_;
    cg.keep_start = !deflation.empty();
    SolveReport report = !wet || wet->symmetric()
                             ? conjugate_gradients(multiply_a, equation.rhs, q, precondition, equation.singular, cg)
                             : bicgstab(multiply_a, equation.rhs, q, precondition, equation.singular, cg);
    report.setup_s = setup_s;
    report.solve_s = seconds_since(solving);
    return report;
  }

 private:
  CgVectors vectors_;  // kept between solves
  Multigrid multigrid_;
  IncompleteCholesky cholesky_;
};

}  // namespace

std::unique_ptr<PressureSolver> make_cpu_pressure_solver() { return std::make_unique<CpuPressureSolver>(); }

}  // namespace coracle
