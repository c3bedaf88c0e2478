#include "coracle/solve/matrix_free_cg.h"

#include "coracle/base/parallel.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace coracle {
namespace {

// A random symmetric matrix of 3×3 blocks; positive definite for a shift above zero.
struct DenseSystem {
  Eigen::MatrixXd a;
  std::vector<Mat3> diagonal;
  explicit DenseSystem(int nodes, double shift = 0.1) {
    srand(7);
    const Eigen::MatrixXd half = Eigen::MatrixXd::Random(3 * nodes, 3 * nodes);
    a = half * half.transpose() / nodes + shift * Eigen::MatrixXd::Identity(3 * nodes, 3 * nodes);
    for (int i = 0; i < nodes; ++i) diagonal.push_back(a.block<3, 3>(3 * i, 3 * i));
  }
  void operator()(const WideField& p, WideField& y) const {
    Eigen::VectorXd x(a.rows());
    for (std::size_t i = 0; i < p.size(); ++i) x.segment<3>(3 * Eigen::Index(i)) = vec3(p[i]);
    const Eigen::VectorXd b = a * x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = wide(b.segment<3>(3 * Eigen::Index(i)));
  }
};

WideField some_field(int nodes) {
  WideField b;
  for (int i = 0; i < nodes; ++i) b.push_back(wide(Vec3(1 + i % 3, -i % 5, 0.5 * (i % 7))));
  return b;
}

TEST(MatrixFreeCg, converges_to_the_solution_of_a_direct_solve) {
  const int nodes = 20;
  const DenseSystem system(nodes);
  const WideField b = some_field(nodes);
  WideField x(nodes);
  MatrixFreeCg cg;
  cg.tolerance = 1e-13;
  ASSERT_TRUE(cg.solve(system, system.diagonal, b, x));
  EXPECT_LE(cg.residual, cg.tolerance);
  Eigen::VectorXd right(3 * nodes);
  for (int i = 0; i < nodes; ++i) right.segment<3>(3 * i) = vec3(b[i]);
  const Eigen::VectorXd exact = system.a.ldlt().solve(right);
  for (int i = 0; i < nodes; ++i) EXPECT_LT((vec3(x[i]) - exact.segment<3>(3 * i)).norm(), 1e-10 * exact.norm()) << i;
  // In exact arithmetic it ends after as many iterations as there are unknowns.
  EXPECT_LE(cg.iterations, 2 * 3 * nodes);
}

TEST(MatrixFreeCg, a_solution_to_start_from_needs_no_iteration) {
  const DenseSystem system(5);
  WideField x = some_field(5), b(5);
  system(x, b);
  const WideField exact = x;
  MatrixFreeCg cg;
  ASSERT_TRUE(cg.solve(system, system.diagonal, b, x));
  EXPECT_EQ(cg.iterations, 0);
  EXPECT_EQ(vec3(x[3]), vec3(exact[3]));
}

TEST(MatrixFreeCg, says_when_it_does_not_converge) {
  const DenseSystem system(20);
  WideField x(20);
  MatrixFreeCg few;
  few.tolerance = 1e-13, few.max_iterations = 3;
  EXPECT_FALSE(few.solve(system, system.diagonal, some_field(20), x));
  DenseSystem indefinite(20);
  indefinite.a = -indefinite.a;
  x.assign(20, Double4{});
  MatrixFreeCg cg;
  EXPECT_FALSE(cg.solve(indefinite, system.diagonal, some_field(20), x)) << "a direction of negative curvature";
}

TEST(MatrixFreeCg, products_have_the_same_bits_on_one_thread_and_two) {
  const WideField a = some_field(30000);
  WideField b = a;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] *= 1 / (1.0 + double(i % 91));
  const auto on = [&](int threads) {
    const ThreadLimit limit(threads);
    return dot(a, b);
  };
  EXPECT_EQ(on(1), on(2));
}

}  // namespace
}  // namespace coracle
