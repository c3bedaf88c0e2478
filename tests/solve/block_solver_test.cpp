#include "coracle/solve/block_solver.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <Eigen/Dense>

#include <fstream>
#include <new>

namespace coracle {
namespace {

// A random positive definite matrix of blocks on a ring with chords, in both forms.
struct Twin {
  int n = 12;
  BlockSolver blocks;
  Eigen::MatrixXd dense;

  Twin() {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n; ++i) pairs.insert(pairs.end(), {{i, (i + 1) % n}, {(i + 5) % n, i}, {i, (i + 1) % n}});
    blocks.set_pattern(n, pairs);
    fill();
  }
  void fill() {
    blocks.clear();
    dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (int i = 0; i < n; ++i) {
      Mat3 m = Mat3::Random();
      m = m * m.transpose() + 12 * Mat3::Identity();
      blocks.add_diagonal(i, m);
      dense.block<3, 3>(3 * i, 3 * i) += m;
      for (int j : {(i + 1) % n, (i + 5) % n}) {
        m = Mat3::Random();
        blocks.add(blocks.slot(i, j), m);
        dense.block<3, 3>(3 * i, 3 * j) += m;
        dense.block<3, 3>(3 * j, 3 * i) += m.transpose();
      }
    }
  }
};

std::vector<Vec3> random_vectors(int n) {
  std::vector<Vec3> x(n);
  for (Vec3& v : x) v = Vec3::Random();
  return x;
}

Eigen::VectorXd flat(const std::vector<Vec3>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x[0].data(), Eigen::Index(3 * x.size()));
}

TEST(BlockSolver, solves_what_a_dense_solver_solves_again_and_again_on_one_pattern) {
  Twin t;
  for (int repeat = 0; repeat < 3; ++repeat, t.fill()) {
    const std::vector<Vec3> rhs = random_vectors(t.n);
    std::vector<Vec3> x, y;
    t.blocks.multiply(rhs, y);
    EXPECT_LT((flat(y) - t.dense * flat(rhs)).norm(), 1e-12);
    ASSERT_TRUE(t.blocks.solve({}, x, rhs));
    EXPECT_LT((flat(x) - t.dense.ldlt().solve(flat(rhs))).norm(), 1e-12);
  }
}

TEST(BlockSolver, held_nodes_take_their_values_and_the_rest_is_the_constrained_minimum) {
  Twin t;
  const std::vector<Vec3> rhs = random_vectors(t.n);
  const Vec3 n = Vec3(1, 2, -1).normalized();
  const std::vector<BlockSolver::Fixed> fixed{{3, Mat3::Zero(), Vec3(1, 2, 3)},
                                              {7, Mat3::Identity() - n * n.transpose(), 0.5 * n}};
  std::vector<Vec3> x;
  ASSERT_TRUE(t.blocks.solve(fixed, x, rhs));
  EXPECT_LT((x[3] - Vec3(1, 2, 3)).norm(), 1e-12);
  EXPECT_NEAR(x[7].dot(n), 0.5, 1e-12);
  // The residual acts on held directions only.
  const Eigen::VectorXd r = t.dense * flat(x) - flat(rhs);
  for (int i = 0; i < t.n; ++i) {
    if (i == 3) continue;
    const Vec3 ri = r.segment<3>(3 * i);
    EXPECT_LT((i == 7 ? Vec3(ri - n * n.dot(ri)) : ri).norm(), 1e-11) << i;
  }
}

TEST(BlockSolver, an_indefinite_matrix_is_refused_and_the_next_one_solved) {
  Twin t;
  t.blocks.add_diagonal(4, -1e3 * Mat3::Identity());
  std::vector<Vec3> x;
  EXPECT_FALSE(t.blocks.solve({}, x, random_vectors(t.n)));
  t.fill();
  EXPECT_TRUE(t.blocks.solve({}, x, random_vectors(t.n)));
}

// Many nodes are solved by iterations where few are needed, and by a factor where they are not.
TEST(BlockSolver, many_nodes_are_solved_whatever_the_condition) {
  constexpr int n = 3000;
  for (const double inertia : {1.0, 1e-7}) {
    BlockSolver by_choice, by_factor;
    by_factor.use_factor_only();
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n; ++i) pairs.insert(pairs.end(), {{i, (i + 1) % n}, {i, (i + 30) % n}});
    for (BlockSolver* b : {&by_choice, &by_factor}) {
      b->set_pattern(n, pairs);
      for (int i = 0; i < n; ++i) {
        b->add_diagonal(i, (4 + inertia) * Mat3::Identity());
        for (int j : {(i + 1) % n, (i + 30) % n}) b->add(b->slot(i, j), -Mat3::Identity());
      }
    }
    const std::vector<BlockSolver::Fixed> fixed{{7, Mat3::Zero(), Vec3(1, 2, 3)}};
    const std::vector<Vec3> rhs = random_vectors(n);
    std::vector<Vec3> x, y;
    ASSERT_TRUE(by_choice.solve(fixed, x, rhs));
    ASSERT_TRUE(by_factor.solve(fixed, y, rhs));
    EXPECT_LT((flat(x) - flat(y)).norm(), 1e-8 * flat(y).norm()) << inertia;
    EXPECT_LT((x[7] - Vec3(1, 2, 3)).norm(), 1e-9);
    by_choice.solve_free(x, rhs), by_factor.solve_free(y, rhs);
    EXPECT_LT((flat(x) - flat(y)).norm(), 1e-8 * flat(y).norm()) << inertia;
  }
}

// The process gets no more than so many bytes while the object lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(double bytes) {
    getrlimit(RLIMIT_AS, &before_);
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = rlim_t(pages * double(sysconf(_SC_PAGESIZE)) + bytes);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_;
};

TEST(BlockSolver, a_factor_that_does_not_fit_into_memory_is_not_taken_for_an_indefinite_matrix) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer ends a program that is out of memory";
#endif
  constexpr int side = 20;  // a block of 8000 nodes: its factor takes about 100 MB
  BlockSolver block;
  block.use_factor_only();
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < side * side * side; ++i)
    for (const int step : {1, side, side * side})
      if (i / step % side > 0) pairs.emplace_back(i, i - step);
  block.set_pattern(side * side * side, pairs);
  for (int i = 0; i < block.nodes(); ++i) block.add_diagonal(i, 7 * Mat3::Identity());
  for (const auto& [i, j] : pairs) block.add(block.slot(i, j), -Mat3::Identity());
  {
    const MemoryLimit limit(50e6);
    EXPECT_THROW((void)block.factor({}), std::bad_alloc);
  }
  EXPECT_TRUE(block.factor({})) << "where there is more";
}

}  // namespace
}  // namespace coracle
