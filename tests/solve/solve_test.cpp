#include "coracle/base/parallel.h"
#include "coracle/base/random.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/solve/incomplete_cholesky.h"
#include "coracle/solve/multigrid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

// A Poisson matrix with random weights and holes; p = 0 on the side x = 0 when `open`.
Stencil<double> random_matrix(const Vec3i& n, bool open) {
  Stencil<double> a;
  a.assign(n);
  Array3<char> wet(n, 0);
  for (std::size_t i = 0; i < wet.size(); ++i) wet.data[i] = uniform(1, i) > 0.15;
  for (std::size_t i = 0; i < wet.size(); ++i) {
    const Vec3i c = wet.cell(i);
    if (!wet.data[i]) continue;
    for (int d = 0; d < 3; ++d) {
      if (c[d] + 1 >= n[d] || !wet[c + Vec3i::Unit(d)]) continue;
      const double w = 0.01 + uniform(2 + d, i);
      a.off[d].data[i] = w;
      a.diag.data[i] += w;
      a.diag[c + Vec3i::Unit(d)] += w;
    }
    if (open && c.x() == 0) a.diag.data[i] += 1 + 500 * uniform(9, i);
  }
  return a;
}

Vector random_rhs(const Stencil<double>& a) {
  Vector b(a.diag.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = a.diag.data[i] != 0 ? uniform(5, i) - 0.5 : 0;
  return b;
}

double residual(const Stencil<double>& a, const Vector& b, const Vector& x) {
  Vector ax;
  multiply(a, x, ax);
  for (std::size_t i = 0; i < b.size(); ++i) ax[i] -= b[i];
  return norm(ax) / norm(b);
}

TEST(ConjugateGradients, both_preconditioners_solve_odd_sizes_and_slabs) {
  for (const Vec3i& n : {Vec3i(17, 23, 9), Vec3i(40, 31, 1), Vec3i(3, 2, 50), Vec3i(5, 5, 5)}) {
    const Stencil<double> a = random_matrix(n, true);
    Vector b = random_rhs(a);
    // Cells cut off from the open side have no solution in general.
    Vector ones(b.size(), 0), x(b.size(), 0), y(b.size(), 0);
    Multigrid multigrid;
    multigrid.set_up(a);
    IncompleteCholesky cholesky;
    cholesky.set_up(a);
    for (std::size_t i = 0; i < b.size(); ++i) ones[i] = a.diag.data[i] != 0 ? uniform(7, i) : 0;
    multiply(a, ones, b);
    const CgOptions options{1e-10, 0, 2000};
    EXPECT_EQ(conjugate_gradients(
                  a, b, x, [&](const Vector& r, Vector& z) { multigrid.apply(r, z); }, {}, options)
                  .status,
              SolveStatus::converged);
    EXPECT_EQ(conjugate_gradients(
                  a, b, y, [&](const Vector& r, Vector& z) { cholesky.apply(r, z); }, {}, options)
                  .status,
              SolveStatus::converged);
    EXPECT_LT(residual(a, b, x), 2e-10);
    EXPECT_LT(residual(a, b, y), 2e-10);
  }
}

TEST(ConjugateGradients, a_singular_system_is_solved_up_to_its_mean) {
  Stencil<double> a;
  a.assign(Vec3i(12, 12, 12));
  for (std::size_t i = 0; i < a.diag.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (a.diag.cell(i)[d] + 1 < 12) a.off[d].data[i] = 1, a.diag.data[i] += 1, a.diag.data[i + a.diag.stride(d)] += 1;
  Vector b = random_rhs(a), x(b.size(), 3.0);
  std::vector<std::vector<int>> closed(1);
  for (std::size_t i = 0; i < b.size(); ++i) closed[0].push_back(int(i));
  Multigrid multigrid;
  multigrid.set_up(a);
  const SolveReport report =
      conjugate_gradients(a, b, x, [&](const Vector& r, Vector& z) { multigrid.apply(r, z); }, closed, {1e-10, 0, 200});
  EXPECT_EQ(report.status, SolveStatus::converged);
  double mean = 0, sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) mean += b[i] / double(b.size()), sum += x[i];
  for (double& v : b) v -= mean;
  EXPECT_LT(residual(a, b, x), 1e-9);
  EXPECT_NEAR(sum, 0, 1e-9);
}

TEST(ConjugateGradients, one_and_two_threads_give_the_same_bits) {
  const Stencil<double> a = random_matrix(Vec3i(40, 33, 37), true);
  Vector b;
  multiply(a, random_rhs(a), b);
  std::vector<Vector> solutions;
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    Vector x(b.size(), 0);
    Multigrid multigrid;
    multigrid.set_up(a);
    (void)conjugate_gradients(a, b, x, [&](const Vector& r, Vector& z) { multigrid.apply(r, z); }, {}, {1e-8, 0, 200});
    solutions.push_back(x);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
}

TEST(Multigrid, the_cycle_is_symmetric_and_positive) {
  const Stencil<double> a = random_matrix(Vec3i(20, 18, 14), true);
  Multigrid multigrid;
  multigrid.set_up(a);
  Vector x = random_rhs(a), y(x.size()), mx, my;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = a.diag.data[i] != 0 ? uniform(11, i) - 0.5 : 0;
  multigrid.apply(x, mx);
  multigrid.apply(y, my);
  EXPECT_NEAR(dot(x, my), dot(y, mx), 1e-5 * norm(x) * norm(my));  // float inside
  EXPECT_GT(dot(x, mx), 0);
}

}  // namespace
}  // namespace coracle
