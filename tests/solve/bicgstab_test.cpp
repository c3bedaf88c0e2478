#include "coracle/solve/bicgstab.h"

#include "coracle/base/random.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace coracle {
namespace {

struct Dense {
  Eigen::MatrixXd a;
  Vector operator*(const Vector& x) const {
    const Eigen::VectorXd y = a * Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
    return {y.begin(), y.end()};
  }
};

// Far from symmetric, with a dominant diagonal; rows of the first `singular` columns add up to zero.
Dense random_matrix(int n, int singular) {
  Dense d{Eigen::MatrixXd(n, n)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d.a(i, j) = uniform(i, j) - 0.3 + (i == j ? 0.5 * n : 0);
  for (int i = 0; i < singular; ++i) {
    for (int j = singular; j < n; ++j) d.a(i, j) = d.a(j, i) = 0;
    double sum = 0;
    for (int j = 0; j < singular; ++j)
      if (j != i) sum += d.a(i, j);
    d.a(i, i) = -sum;
  }
  return d;
}

TEST(Bicgstab, solves_what_has_no_symmetry) {
  constexpr int n = 60;
  const Dense d = random_matrix(n, 0);
  Vector b(n), x(n, 0);
  for (int i = 0; i < n; ++i) b[i] = uniform(77, i) - 0.5;
  const Apply multiply = [&](const Vector& in, Vector& out) { out = d * in; };
  const Apply nothing = [](const Vector& in, Vector& out) { out = in; };
  const SolveReport report = bicgstab(multiply, b, x, nothing, {}, {.tolerance = 1e-11});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_GT(report.iterations, 2);
  const Eigen::VectorXd exact = d.a.partialPivLu().solve(Eigen::Map<Eigen::VectorXd>(b.data(), n));
  for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact[i], 1e-9);
  Vector again = x;
  EXPECT_LE(bicgstab(multiply, b, again, nothing, {}, {.tolerance = 1e-9}).iterations, 1) << "the start was the answer";
}

TEST(Bicgstab, says_when_it_does_not_get_there) {
  const Dense d = random_matrix(60, 0);
  Vector b(60, 1), x(60, 0);
  const SolveReport report =
      bicgstab([&](const Vector& in, Vector& out) { out = d * in; }, b, x,
               [](const Vector& in, Vector& out) { out = in; }, {}, {.tolerance = 1e-14, .max_iterations = 1});
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_GT(report.residual, 1e-14);
}

}  // namespace
}  // namespace coracle
