#include "coracle/solve/leaves.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// Six nodes in a ring, and leaves on two or three of them each, as particles on triangles.
struct Tree {
  static constexpr int stem = 6, leaves = 5, all = stem + leaves;
  std::vector<std::pair<int, int>> pairs;
  Tree() {
    for (int i = 0; i < stem; ++i) pairs.emplace_back(i, (i + 1) % stem);
    for (int q = 0; q < leaves; ++q)
      for (int c = 0; c < 2 + q % 2; ++c) pairs.emplace_back((2 * q + 3 * c) % stem, stem + q);
  }
  void fill(BlockSolver& matrix) const {
    std::srand(5);
    matrix.set_pattern(all, pairs);
    for (int i = 0; i < all; ++i) {
      const Mat3 m = Mat3::Random();
      matrix.add_diagonal(i, m * m.transpose() + 10 * Mat3::Identity());
    }
    for (const auto& [i, j] : pairs) matrix.add(matrix.slot(i, j), Mat3::Random());
  }
};

void expect_same_solution(const std::vector<Follower>& followers, const std::vector<BlockSolver::Fixed>& fixed) {
  const Tree tree;
  BlockSolver whole, without;
  without.set_leaves(Tree::leaves);
  for (BlockSolver* matrix : {&whole, &without}) {
    matrix->set_followers(followers);
    tree.fill(*matrix);
  }
  std::vector<Vec3> rhs(Tree::all), x, y;
  for (Vec3& r : rhs) r = Vec3::Random();
  ASSERT_TRUE(whole.solve(fixed, x, rhs));
  ASSERT_TRUE(without.solve(fixed, y, rhs));
  for (int i = 0; i < Tree::all; ++i) EXPECT_LT((x[i] - y[i]).norm(), 1e-12) << i;
}

TEST(Leaves, elimination_changes_no_solution) { expect_same_solution({}, {}); }

TEST(Leaves, nor_where_nodes_are_held) {
  expect_same_solution({}, {{.node = 2, .free = Mat3::Zero(), .value = Vec3(1, 2, 3)}});
}

TEST(Leaves, nor_where_nodes_follow_others) {
  expect_same_solution({{.node = 4, .leaders = {0, 1}, .weights = {0.3, 0.7}}}, {});
}

TEST(Leaves, a_leaf_that_is_not_positive_definite_is_found) {
  BlockSolver matrix;
  matrix.set_leaves(1);
  matrix.set_pattern(2, {{0, 1}});
  matrix.add_diagonal(0, Mat3::Identity());
  matrix.add_diagonal(1, -Mat3::Identity());
  EXPECT_FALSE(matrix.factor({}));
}

TEST(Leaves, a_system_of_leaves_alone_is_solved) {
  BlockSolver matrix;
  matrix.set_leaves(2);
  matrix.set_pattern(2, {});
  for (int i = 0; i < 2; ++i) matrix.add_diagonal(i, (i + 1) * Mat3::Identity());
  std::vector<Vec3> x;
  ASSERT_TRUE(matrix.solve({}, x, {Vec3(1, 2, 3), Vec3(2, 4, 6)}));
  for (const Vec3& v : x) EXPECT_LT((v - Vec3(1, 2, 3)).norm(), 1e-14);
}

}  // namespace
}  // namespace coracle
