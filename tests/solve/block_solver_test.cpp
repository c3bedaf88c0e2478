#include "coracle/solve/block_solver.h"
#include "coracle/base/random.h"
#include "coracle/error.h"

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

  explicit Twin(std::vector<Follower> followers = {}) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n; ++i) pairs.insert(pairs.end(), {{i, (i + 1) % n}, {(i + 5) % n, i}, {i, (i + 1) % n}});
    blocks.set_followers(std::move(followers));
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

TEST(BlockSolver, many_nodes_that_are_coupled_to_none_are_solved) {
  const int n = 2 * BlockSolver::always_factorised;
  BlockSolver blocks;
  blocks.set_pattern(n, {});
  for (int i = 0; i < n; ++i) blocks.add_diagonal(i, (1 + i % 7) * Mat3::Identity());
  const std::vector<Vec3> rhs = random_vectors(n);
  std::vector<Vec3> x;
  ASSERT_TRUE(blocks.solve({}, x, rhs));
  for (int i = 0; i < n; ++i) EXPECT_LT(((1 + i % 7) * x[i] - rhs[i]).norm(), 1e-8);
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

// ---- Followers

// Nodes 1, 4, 5 and 9 follow. They share leaders, are coupled to each other and to their leaders, and one has the whole
// weight of one node.
std::vector<Follower> some_followers() {
  return {{.node = 1, .leaders = {0, 2, 7}, .weights = {0.5, 0.8, -0.3}},
          {.node = 4, .leaders = {2, 3, 6, 10}, .weights = {0.1, 0.2, 0.3, 0.4}},
          {.node = 5, .leaders = {10, 2}, .weights = {1.5, -0.5}},
          {.node = 9, .leaders = {8}, .weights = {1}}};
}

bool follows(int node) { return node == 1 || node == 4 || node == 5 || node == 9; }

// T over all nodes; the columns of followers are zero.
Eigen::MatrixXd dense_t(int nodes, const std::vector<Follower>& followers) {
  Eigen::MatrixXd t = Eigen::MatrixXd::Identity(3 * nodes, 3 * nodes);
  for (const Follower& f : followers) {
    t.middleRows<3>(3 * f.node).setZero();
    for (std::size_t k = 0; k < f.leaders.size(); ++k)
      t.block<3, 3>(3 * f.node, 3 * f.leaders[k]) += f.weights[k] * Mat3::Identity();
  }
  return t;
}

// min ½ xᵀ B x − rhsᵀ x over x = T y whose held directions h, the rows of `held`, have the values `value`.
Eigen::VectorXd dense_minimum(const Eigen::MatrixXd& b, const Eigen::MatrixXd& t, const Eigen::VectorXd& rhs,
                              const Eigen::MatrixXd& held, const Eigen::VectorXd& value) {
  const Eigen::Index n = b.rows(), m = held.rows();
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = t.transpose() * b * t;
  for (Eigen::Index i = 0; i < n; ++i)
    if (t.col(i).isZero()) kkt(i, i) = 1;  // of followers y is not used
  kkt.topRightCorner(n, m) = held.transpose();
  kkt.bottomLeftCorner(m, n) = held;
  Eigen::VectorXd right(n + m);
  right << t.transpose() * rhs, value;
  return t * kkt.fullPivLu().solve(right).head(n);
}

const Vec3 held_normal = Vec3(1, 2, -1).normalized();
// Node 2 leads three others, node 7 one. Node 11 leads none.
std::vector<BlockSolver::Fixed> some_held() {
  return {{2, Mat3::Zero(), Vec3(1, 2, 3)},
          {7, Mat3::Identity() - held_normal * held_normal.transpose(), 0.5 * held_normal},
          {11, Mat3::Zero(), Vec3(-1, 0, 1)}};
}
Eigen::MatrixXd held_rows(int nodes) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(7, 3 * nodes);
  rows.block<3, 3>(0, 6).setIdentity(), rows.block<3, 3>(4, 33).setIdentity();
  rows.block<1, 3>(3, 21) = held_normal.transpose();
  return rows;
}
Eigen::VectorXd held_values() { return Eigen::VectorXd{{1, 2, 3, 0.5, -1, 0, 1}}; }

TEST(BlockSolver, followers_move_with_their_leaders_and_the_rest_is_the_minimum) {
  Twin t(some_followers());
  const Eigen::MatrixXd weights = dense_t(t.n, some_followers());
  const Eigen::MatrixXd none(0, 3 * t.n);
  for (int repeat = 0; repeat < 3; ++repeat, t.fill()) {
    const std::vector<Vec3> rhs = random_vectors(t.n);
    std::vector<Vec3> x;
    ASSERT_TRUE(t.blocks.solve({}, x, rhs));
    EXPECT_LT((flat(x) - dense_minimum(t.dense, weights, flat(rhs), none, Eigen::VectorXd(0))).norm(), 1e-12);
    std::vector<Vec3> again = x;
    t.blocks.follow(again);
    EXPECT_LT((flat(again) - flat(x)).norm(), 1e-14);
    t.blocks.solve_free(again, rhs);
    EXPECT_LT((flat(again) - flat(x)).norm(), 1e-13);
  }
}

TEST(BlockSolver, followers_of_held_nodes_are_held_with_them) {
  Twin t(some_followers());
  const Eigen::MatrixXd weights = dense_t(t.n, some_followers());
  const std::vector<Vec3> rhs = random_vectors(t.n);
  std::vector<Vec3> x;
  ASSERT_TRUE(t.blocks.solve(some_held(), x, rhs));
  EXPECT_LT((flat(x) - dense_minimum(t.dense, weights, flat(rhs), held_rows(t.n), held_values())).norm(), 1e-12);
  t.blocks.solve_free(x, rhs);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(7);
  EXPECT_LT((flat(x) - dense_minimum(t.dense, weights, flat(rhs), held_rows(t.n), zero)).norm(), 1e-12);
  EXPECT_THROW((void)t.blocks.factor({{5, Mat3::Zero(), Vec3::Zero()}}), InternalError) << "a follower cannot be held";
}

// Whoever writes the matrix out and solves it finds the same solution.
TEST(BlockSolver, the_matrix_that_callers_see_is_the_one_that_is_solved) {
  Twin t(some_followers());
  const std::vector<Vec3> rhs = random_vectors(t.n);
  std::vector<Vec3> x, constrained = rhs;
  ASSERT_TRUE(t.blocks.solve(some_held(), x, rhs));
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(3 * t.n, 3 * t.n);
  std::pair<int, int> last{-1, -1};  // column, row: increasing
  t.blocks.for_each_value([&](int row, int column, double value) {
    EXPECT_LT(last, std::pair(column, row));
    last = {column, row};
    seen(row, column) = seen(column, row) = value;
    EXPECT_TRUE(row == column || !(follows(row / 3) || follows(column / 3))) << "followers are coupled to nothing";
  });
  t.blocks.constrain_rhs(constrained);
  std::vector<Vec3> y = random_vectors(t.n), product;
  t.blocks.multiply(y, product);
  EXPECT_LT((flat(product) - seen * flat(y)).norm(), 1e-12);
  Eigen::Map<Eigen::VectorXd>(y[0].data(), Eigen::Index(3) * t.n) = seen.ldlt().solve(flat(constrained));
  for (const int i : {1, 4, 5, 9}) EXPECT_EQ(y[i], Vec3::Zero());
  t.blocks.follow(y);
  EXPECT_LT((flat(y) - flat(x)).norm(), 1e-12);
}

TEST(BlockSolver, forces_of_followers_do_the_same_work_on_their_leaders) {
  Twin t(some_followers());
  std::vector<Vec3> v = random_vectors(t.n), f = random_vectors(t.n);
  t.blocks.follow(v);
  const double work = flat(f).dot(flat(v));
  t.blocks.lead(f);
  EXPECT_NEAR(flat(f).dot(flat(v)), work, 1e-14);
  for (const int i : {1, 4, 5, 9}) EXPECT_EQ(f[i], Vec3::Zero());
}

TEST(BlockSolver, with_followers_values_go_back_and_patterns_and_followers_change) {
  Twin t(some_followers());
  const std::vector<Vec3> rhs = random_vectors(t.n);
  std::vector<Vec3> x, y;
  t.blocks.keep();
  ASSERT_TRUE(t.blocks.solve(some_held(), x, rhs));
  t.blocks.add_diagonal(4, 3 * Mat3::Identity());
  ASSERT_TRUE(t.blocks.solve({}, y, rhs));
  t.blocks.go_back();
  ASSERT_TRUE(t.blocks.solve(some_held(), y, rhs));
  EXPECT_EQ(flat(x), flat(y));
  // A pattern with more pairs, with the same values; then without followers; then with others.
  for (const std::vector<Follower>& followers :
       {some_followers(), std::vector<Follower>{}, std::vector<Follower>{some_followers()[1]}}) {
    t.blocks.set_followers(followers);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < t.n; ++i)
      for (const int step : {1, 5, 3}) pairs.emplace_back(i, (i + step) % t.n);
    t.blocks.set_pattern(t.n, pairs);
    t.fill();
    ASSERT_TRUE(t.blocks.solve(some_held(), x, rhs));
    EXPECT_LT(
        (flat(x) - dense_minimum(t.dense, dense_t(t.n, followers), flat(rhs), held_rows(t.n), held_values())).norm(),
        1e-12);
  }
}

TEST(BlockSolver, many_nodes_with_followers_are_solved_by_iterations_and_by_a_factor_alike) {
  constexpr int n = 3000;
  BlockSolver by_choice, by_factor;
  by_factor.use_factor_only();
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < n; ++i) pairs.insert(pairs.end(), {{i, (i + 1) % n}, {i, (i + 30) % n}});
  std::vector<Follower> followers;
  followers.reserve(300);
  for (int i = 0; i < 300; ++i)
    followers.push_back({.node = 10 * i, .leaders = {10 * i + 3, 10 * i + 4}, .weights = {0.3, 0.7}});
  for (BlockSolver* b : {&by_choice, &by_factor}) {
    b->set_followers(followers);
    b->set_pattern(n, pairs);
    for (int i = 0; i < n; ++i) {
      b->add_diagonal(i, 8 * Mat3::Identity());
      for (int j : {(i + 1) % n, (i + 30) % n}) b->add(b->slot(i, j), -Mat3::Identity());
    }
  }
  const std::vector<BlockSolver::Fixed> fixed{{7, Mat3::Zero(), Vec3(1, 2, 3)}};
  const std::vector<Vec3> rhs = random_vectors(n);
  std::vector<Vec3> x, y;
  ASSERT_TRUE(by_choice.solve(fixed, x, rhs));
  ASSERT_TRUE(by_factor.solve(fixed, y, rhs));
  EXPECT_TRUE(by_choice.by_iterations());
  EXPECT_FALSE(by_factor.by_iterations());
  EXPECT_LT((flat(x) - flat(y)).norm(), 1e-8 * flat(y).norm());
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
