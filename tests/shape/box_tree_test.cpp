// The tree of boxes against a search through all pairs.
#include "coracle/shape/box_tree.h"
#include "coracle/base/parallel.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace coracle {
namespace {

// Boxes whose coordinates are multiples of 1/256: floats keep them exactly, and many touch.
std::vector<Bounds> random_boxes(std::uint64_t seed, int count, double size) {
  std::vector<Bounds> boxes(count);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t key = mix(seed) + i;
    for (int c = 0; c < 3; ++c) {
      const double lo = std::floor(256 * uniform(key, c)) / 256;
      boxes[i].lo[c] = lo, boxes[i].hi[c] = lo + std::floor(256 * size * uniform(key, 3 + c)) / 256;
    }
  }
  return boxes;
}

bool overlap(const Bounds& a, const Bounds& b) {
  const auto below = [](const Vec3& lo, const Vec3& hi) { return (lo.array() <= hi.array()).all(); };
  return below(a.lo, b.hi) && below(b.lo, a.hi) && below(a.lo, a.hi) && below(b.lo, b.hi);
}

std::vector<ItemPair> searched(const std::vector<Bounds>& a, const std::vector<Bounds>& b) {
  std::vector<ItemPair> pairs;
  for (int i = 0; i < int(a.size()); ++i)
    for (int j = 0; j < int(b.size()); ++j)
      if (overlap(a[i], b[j])) pairs.push_back({i, j});
  return pairs;
}

std::vector<ItemPair> searched(const std::vector<Bounds>& a) {
  std::vector<ItemPair> pairs = searched(a, a);
  std::erase_if(pairs, [](const ItemPair& p) { return p.first >= p.second; });
  return pairs;
}

TEST(BoxTree, pairs_are_those_of_a_search_through_all_in_the_same_order) {
  for (const int count : {0, 1, 2, 7, 8, 9, 63, 64, 65, 511, 513, 1500})
    for (const double size : {0.02, 0.2}) {
      const std::vector<Bounds> a = random_boxes(1, count, size), b = random_boxes(2, 700, size);
      const BoxTree tree_a(a), tree_b(b);
      EXPECT_EQ(tree_a.size(), count);
      EXPECT_EQ(overlapping_pairs(tree_a), searched(a)) << count;
      EXPECT_EQ(overlapping_pairs(tree_a, tree_b), searched(a, b)) << count;
      EXPECT_EQ(overlapping_pairs(tree_b, tree_a), searched(b, a)) << count;
    }
}

TEST(BoxTree, a_query_visits_every_overlapping_item_once) {
  const std::vector<Bounds> boxes = random_boxes(3, 1000, 0.1), queries = random_boxes(4, 200, 0.3);
  const BoxTree tree(boxes);
  for (const Bounds& query : queries) {
    std::vector<int> found, all;
    tree.visit(query, [&](int item) { found.push_back(item); });
    std::sort(found.begin(), found.end());
    for (int i = 0; i < int(boxes.size()); ++i)
      if (overlap(boxes[i], query)) all.push_back(i);
    EXPECT_EQ(found, all);
  }
  BoxTree().visit(queries[0], [](int) { ADD_FAILURE(); });
}

TEST(BoxTree, a_tree_with_new_boxes_finds_what_a_new_tree_finds) {
  const std::vector<Bounds> before = random_boxes(5, 3000, 0.05), after = random_boxes(6, 3000, 0.05);
  BoxTree tree(before);
  EXPECT_DOUBLE_EQ(tree.looseness(), 1);
  tree.refit(after);
  EXPECT_GT(tree.looseness(), 2);  // neighbours in the tree are anywhere now
  EXPECT_EQ(overlapping_pairs(tree), overlapping_pairs(BoxTree(after)));
  tree.refit(before);
  EXPECT_DOUBLE_EQ(tree.looseness(), 1);
  EXPECT_EQ(overlapping_pairs(tree), overlapping_pairs(BoxTree(before)));
}

TEST(BoxTree, one_and_two_threads_list_the_same_pairs_in_the_same_order) {
  const std::vector<Bounds> a = random_boxes(7, 20000, 0.03), b = random_boxes(8, 15000, 0.03);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    const BoxTree tree_a(a), tree_b(b);
    std::vector<int> visited;
    tree_a.visit(random_boxes(9, 1, 0.5)[0], [&](int item) { visited.push_back(item); });
    return std::tuple(overlapping_pairs(tree_a), overlapping_pairs(tree_a, tree_b), visited);
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(0));
  EXPECT_GT(std::get<0>(one).size(), 1000);
}

TEST(BoxTree, pairs_can_be_left_out) {
  const std::vector<Bounds> boxes = random_boxes(10, 500, 0.2);
  std::vector<ItemPair> odd = searched(boxes);
  std::erase_if(odd, [](const ItemPair& p) { return (p.first + p.second) % 2 == 0; });
  EXPECT_EQ(overlapping_pairs(BoxTree(boxes), [](int i, int j) { return (i + j) % 2 == 1; }), odd);
}

TEST(BoxTree, rounding_loses_no_pair_and_adds_only_near_ones) {
  // Boxes that touch exactly, at coordinates that floats do not have.
  std::vector<Bounds> boxes(2000);
  for (int i = 0; i < int(boxes.size()); ++i) {
    const Vec3 x = Vec3(uniform(11, 3 * i), uniform(11, 3 * i + 1), uniform(11, 3 * i + 2)) * 1e-3;
    boxes[i].lo = i % 2 == 0 ? x : boxes[i - 1].hi;
    boxes[i].hi = boxes[i].lo + Vec3::Constant(1e-5);
  }
  const std::vector<ItemPair> found = overlapping_pairs(BoxTree(boxes)), exact = searched(boxes);
  const auto less = [](const ItemPair& p, const ItemPair& q) {
    return p.first != q.first ? p.first < q.first : p.second < q.second;
  };
  EXPECT_GE(exact.size(), 1000);
  EXPECT_TRUE(std::includes(found.begin(), found.end(), exact.begin(), exact.end(), less));
  std::vector<Bounds> larger = boxes;
  for (Bounds& box : larger) box.lo.array() -= 2e-10, box.hi.array() += 2e-10;
  const std::vector<ItemPair> near = searched(larger);
  EXPECT_TRUE(std::includes(near.begin(), near.end(), found.begin(), found.end(), less));
}

TEST(BoxTree, empty_boxes_overlap_nothing_and_infinite_ones_everything) {
  std::vector<Bounds> boxes = random_boxes(12, 100, 0.01);
  boxes[40] = Bounds{};
  boxes[60] = Bounds{Vec3::Constant(-INFINITY), Vec3::Constant(INFINITY)};
  const BoxTree tree(boxes);
  EXPECT_EQ(overlapping_pairs(tree), searched(boxes));
  int with_infinite = 0;
  for (const auto& [i, j] : overlapping_pairs(tree)) {
    EXPECT_TRUE(i != 40 && j != 40);
    with_infinite += i == 60 || j == 60;
  }
  EXPECT_EQ(with_infinite, 98);
}

TEST(BoxTree, items_at_one_place_are_all_found) {
  const std::vector<Bounds> boxes(300, Bounds{Vec3::Zero(), Vec3::Ones()});
  EXPECT_EQ(overlapping_pairs(BoxTree(boxes)).size(), 300 * 299 / 2);
}

}  // namespace
}  // namespace coracle
