// L + W against a dense solve, for W that are given as small dense matrices.
#include "coracle/solve/pressure_solver.h"

#include "coracle/base/random.h"
#include "coracle/error.h"
#include "coracle/solve/conjugate_gradients.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cmath>
#include <vector>

namespace coracle {
namespace {

// A Poisson matrix with random weights over the cells; p = 0 beyond the side x = 0 when `open`. No faces lead from
// layer `cut` along x to the next.
Stencil<double> poisson(const Vec3i& n, bool open, int cut = -1) {
  Stencil<double> l;
  l.assign(n);
  for (std::size_t i = 0; i < l.diag.size(); ++i) {
    const Vec3i c = l.diag.cell(i);
    for (int a = 0; a < 3; ++a) {
      if (c[a] + 1 == n[a] || (a == 0 && c.x() == cut)) continue;
      const double w = 0.2 + uniform(a, i);
      l.off[a].data[i] = w;
      l.diag.data[i] += w;
      l.diag.data[i + l.diag.stride(a)] += w;
    }
    if (open && c.x() == 0) l.diag.data[i] += 2;
  }
  l.find_spans();
  return l;
}

Eigen::MatrixXd dense(const Stencil<double>& l) {
  const std::size_t n = l.diag.size();
  Eigen::MatrixXd m(n, n);
  Vector unit(n, 0), column;
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    multiply(l, unit, column);
    unit[i] = 0;
    m.col(Eigen::Index(i)) = Eigen::Map<Eigen::VectorXd>(column.data(), Eigen::Index(n));
  }
  return m;
}

// W between some of the cells.
struct DenseTerm : WetTerm {
  std::vector<int> wet;
  Eigen::MatrixXd w;
  CellSets deflated;
  bool is_symmetric = true;
  double error = 0;  // products are off by this share of their tolerance
  int products = 0;

  Eigen::MatrixXd whole(std::size_t n) const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
    for (std::size_t i = 0; i < wet.size(); ++i)
      for (std::size_t j = 0; j < wet.size(); ++j) m(wet[i], wet[j]) = w(Eigen::Index(i), Eigen::Index(j));
    return m;
  }
  Eigen::VectorXd product(const Vector& x) const {
    Eigen::VectorXd values(Eigen::Index(wet.size()));
    for (std::size_t i = 0; i < wet.size(); ++i) values[Eigen::Index(i)] = x[wet[i]];
    return w * values;
  }
  void add(const Vector& x, double tolerance, Vector& y) override {
    ++products;
    Eigen::VectorXd wx = product(x);
    Eigen::VectorXd off(wx.size());
    for (Eigen::Index i = 0; i < off.size(); ++i) off[i] = uniform(products, std::uint64_t(i)) - 0.5;
    wx += error * tolerance * wx.norm() * off.normalized();
    for (std::size_t i = 0; i < wet.size(); ++i) y[wet[i]] += wx[Eigen::Index(i)];
  }
  void subtract_sums(const Vector& x, Eigen::VectorXd& t) override {
    Vector y(x.size(), 0);
    const Eigen::VectorXd wx = product(x);
    for (std::size_t i = 0; i < wet.size(); ++i) y[wet[i]] = wx[Eigen::Index(i)];
    for (std::size_t k = 0; k < deflated.size(); ++k)
      for (const int i : deflated[k]) t[Eigen::Index(k)] -= y[i];
  }
  const std::vector<int>& cells() const override { return wet; }
  std::vector<std::pair<int, double>> lumped() const override {
    std::vector<std::pair<int, double>> diagonal;
    const Eigen::VectorXd rows = w.cwiseAbs().rowwise().sum();
    for (std::size_t i = 0; i < wet.size(); ++i) diagonal.emplace_back(wet[i], rows[Eigen::Index(i)]);
    return diagonal;
  }
  bool symmetric() const override { return is_symmetric; }
  bool exact() const override { return error == 0; }
};

// Positive definite between every third cell: a dense rank of a few modes and a little of each cell's own. `skew` of it
// is not symmetric.
DenseTerm wet_term(std::size_t cells, double size, double skew = 0) {
  DenseTerm term;
  for (std::size_t i = 0; i < cells; i += 3) term.wet.push_back(int(i));
  const Eigen::Index k = Eigen::Index(term.wet.size());
  Eigen::MatrixXd modes(k, 5), turn(k, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index m = 0; m < 5; ++m) modes(i, m) = uniform(40 + m, std::uint64_t(i)) - 0.3;
    for (Eigen::Index j = 0; j < k; ++j) turn(i, j) = uniform(60 + i, std::uint64_t(j)) - 0.5;
  }
  term.w = size * (modes * modes.transpose() + Eigen::MatrixXd::Identity(k, k));
  term.w += skew * size * (turn - turn.transpose());
  term.is_symmetric = skew == 0;
  return term;
}

Vector random_rhs(std::size_t n) {
  Vector b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = uniform(5, i) - 0.5;
  return b;
}

constexpr double tolerance = 1e-11;

// Every back end that this program and this machine have.
class PressureSolverOn : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    try {
      require_backend(GetParam());
    } catch (const RunError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, PressureSolverOn, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& backend) { return backend.param == Backend::cpu ? "cpu" : "cuda"; });

// q solves L + W as the tolerance asks: the residual is below it, and the error of q below the condition times that.
void expect_solution(const Stencil<double>& l, DenseTerm& term, PressureSolver& solver, const PressureOptions& options,
                     double slack = 1) {
  const Vector b = random_rhs(l.diag.size());
  Vector q(b.size(), 0);
  const CellSets none;
  const SolveReport report =
      solver.solve({.matrix = l, .rhs = b, .singular = none, .deflated = term.deflated, .wet = &term}, options, q);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.residual, options.tolerance);
  const Eigen::MatrixXd a = dense(l) + term.whole(b.size());
  const Eigen::Map<const Eigen::VectorXd> rhs(b.data(), Eigen::Index(b.size())), found(q.data(), rhs.size());
  EXPECT_LE((a * found - rhs).norm(), 1.1 * slack * options.tolerance * rhs.norm()) << "round-off is a tenth of it";
  const Eigen::VectorXd exact = a.partialPivLu().solve(rhs);
  const Eigen::VectorXd stretch = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
  const double condition = stretch[0] / stretch[stretch.size() - 1];
  EXPECT_LE((found - exact).norm(), 1.1 * slack * condition * options.tolerance * exact.norm());
}

TEST_P(PressureSolverOn, solves_l_and_a_dense_w_with_either_preconditioner) {
  const Stencil<double> l = poisson(Vec3i(6, 5, 4), true);
  const auto solver = make_pressure_solver();
  for (const bool multigrid : {true, false})
    for (const double size : {1e-3, 1.0, 30.0}) {
      SCOPED_TRACE(testing::Message() << (multigrid ? "multigrid, " : "incomplete Cholesky, ") << size);
      DenseTerm term = wet_term(l.diag.size(), size);
      expect_solution(l, term, *solver, {.backend = GetParam(), .multigrid = multigrid, .tolerance = tolerance});
      EXPECT_GT(term.products, 1);
    }
}

TEST_P(PressureSolverOn, solves_a_w_without_symmetry) {
  const Stencil<double> l = poisson(Vec3i(5, 7, 4), true);
  const auto solver = make_pressure_solver();
  for (const bool multigrid : {true, false}) {
    SCOPED_TRACE(multigrid);
    DenseTerm term = wet_term(l.diag.size(), 1, 0.3);
    ASSERT_GT((term.w - term.w.transpose()).norm(), 0.3 * term.w.norm());
    expect_solution(l, term, *solver, {.backend = GetParam(), .multigrid = multigrid, .tolerance = tolerance});
  }
}

CellSets layers_up_to(const Stencil<double>& l, int cut) {
  CellSets sets(2);
  for (std::size_t i = 0; i < l.diag.size(); ++i) sets[l.diag.cell(i).x() <= cut ? 0 : 1].push_back(int(i));
  return sets;
}

// Two closed components: L knows neither of their means, W resists both and couples them.
TEST_P(PressureSolverOn, sets_that_only_w_resists_are_deflated_however_weak_it_is) {
  constexpr int cut = 2;
  const Stencil<double> l = poisson(Vec3i(6, 5, 4), false, cut);
  const CellSets sets = layers_up_to(l, cut);
  Vector product;
  for (const auto& set : sets) {  // L is singular: L Z = 0
    Vector indicator(l.diag.size(), 0);
    for (const int i : set) indicator[i] = 1;
    multiply(l, indicator, product);
    for (const double x : product) ASSERT_NEAR(x, 0, 1e-14);  // of entries of order one
  }
  const auto solver = make_pressure_solver();
  for (const double skew : {0.0, 0.3})
    for (const double size : {1e-4, 1.0}) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", skew " << skew);
      DenseTerm term = wet_term(l.diag.size(), size, skew);
      term.deflated = sets;
      expect_solution(l, term, *solver, {.backend = GetParam(), .tolerance = tolerance});
    }
}

TEST_P(PressureSolverOn, products_as_inexact_as_they_may_be_still_give_the_solution) {
  const Stencil<double> l = poisson(Vec3i(6, 5, 4), true);
  const auto solver = make_pressure_solver();
  for (const double skew : {0.0, 0.3}) {
    SCOPED_TRACE(skew);
    DenseTerm term = wet_term(l.diag.size(), 1, skew);
    term.error = 1;
    // A product is off by at most a fiftieth of what the residual has yet to lose, in some thirty iterations.
    expect_solution(l, term, *solver, {.backend = GetParam(), .tolerance = 1e-8}, 2);
  }
}

TEST_P(PressureSolverOn, without_w_a_closed_component_gets_the_mean_zero) {
  const Stencil<double> l = poisson(Vec3i(6, 5, 4), false);
  CellSets all(1);
  for (std::size_t i = 0; i < l.diag.size(); ++i) all[0].push_back(int(i));
  Vector b = random_rhs(l.diag.size()), q(b.size(), 7.0);
  const CellSets none;
  const auto solver = make_pressure_solver();
  const SolveReport report = solver->solve({.matrix = l, .rhs = b, .singular = all, .deflated = none},
                                           {.backend = GetParam(), .tolerance = tolerance}, q);
  EXPECT_EQ(report.status, SolveStatus::converged);
  const Eigen::Map<Eigen::VectorXd> found(q.data(), Eigen::Index(q.size())), rhs(b.data(), found.size());
  EXPECT_NEAR(found.mean(), 0, 1e-14 * found.norm());
  const Eigen::VectorXd solvable = rhs.array() - rhs.mean();
  EXPECT_LE((dense(l) * found - solvable).norm(), 1.1 * tolerance * solvable.norm());
}

TEST_P(PressureSolverOn, a_solve_cut_short_says_so) {
  const Stencil<double> l = poisson(Vec3i(6, 5, 4), true);
  DenseTerm term = wet_term(l.diag.size(), 1);
  const Vector b = random_rhs(l.diag.size());
  Vector q(b.size(), 0);
  const CellSets none;
  const SolveReport report =
      make_pressure_solver()->solve({.matrix = l, .rhs = b, .singular = none, .deflated = none, .wet = &term},
                                    {.backend = GetParam(), .max_iterations = 2}, q);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_GT(report.residual, 1e-8);
}

// A dam break around a ball, with a step in it, and a closed box of liquid beside it.
Stencil<double> dam_break(int n) {
  Stencil<double> l;
  l.assign(Vec3i(n, n - 3, n + 5));
  const auto wet = [&](const Vec3i& c) {
    const Vec3 x = (c.cast<double>().array() + 0.5) / n;
    if ((x - Vec3(0.45, 0.3, 0.5)).norm() < 0.15) return false;
    return x.y() + 0.3 * x.x() < 0.55 + 0.02 * std::cos(20 * x.z());
  };
  for (std::size_t i = 0; i < l.diag.size(); ++i) {
    const Vec3i c = l.diag.cell(i);
    if (!wet(c)) continue;
    for (int a = 0; a < 3; ++a)
      for (const int side : {-1, 1}) {
        Vec3i d = c;
        d[a] += side;
        if (d[a] < 0 || d[a] == l.n[a]) continue;
        const std::size_t j = l.diag.index(d);
        const double open = 0.3 + 0.7 * uniform(a, std::min(i, j));
        if (wet(d)) {
          l.diag.data[i] += open;
          if (side > 0) l.off[a].data[i] = open;
        } else if (a == 1 && side > 0) {
          l.diag.data[i] += open / (0.05 + uniform(7, i));  // the surface
        }
      }
  }
  l.find_spans();
  return l;
}

// The same system by the back end and by the CPU: both meet the tolerance, in as many iterations, whichever comes after
// which, and the back end repeats its bits.
TEST_P(PressureSolverOn, agrees_with_the_cpu_on_grids_of_every_size) {
  const auto solver = make_pressure_solver();
  const CellSets none;
  for (const int n : {8, 21, 64, 33, 64}) {
    SCOPED_TRACE(n);
    const Stencil<double> l = dam_break(n);
    Vector b = random_rhs(l.diag.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      if (l.diag.data[i] == 0) b[i] = 0;
    const PressureEquation equation{.matrix = l, .rhs = b, .singular = none, .deflated = none};
    Vector q(b.size(), 0), again(b.size(), 0), expected(b.size(), 0);
    const SolveReport report = solver->solve(equation, {.backend = GetParam(), .tolerance = 1e-10}, q);
    const SolveReport reference = solver->solve(equation, {.tolerance = 1e-10}, expected);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(std::abs(report.iterations - reference.iterations), 1);
    Vector r;
    multiply(l, q, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
    EXPECT_LE(norm(r), 1.1e-10 * norm(b));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = q[i] - expected[i];
    EXPECT_LE(norm(r), 1e-7 * norm(expected)) << "two residuals of 1e-10, by a condition of a thousand";
    (void)solver->solve(equation, {.backend = GetParam(), .tolerance = 1e-10}, again);
    EXPECT_EQ(q, again);
    for (std::size_t i = 0; i < q.size(); ++i)
      if (l.diag.data[i] == 0) ASSERT_EQ(q[i], 0);
  }
}

}  // namespace
}  // namespace coracle
