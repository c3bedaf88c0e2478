#include "coracle/base/disjoint_sets.h"

#include "coracle/base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace coracle {
namespace {

TEST(DisjointSets, all_are_apart_at_first) {
  DisjointSets sets(5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sets.root(i), i);
}

TEST(DisjointSets, the_root_of_a_set_is_its_smallest_member_in_whatever_order_it_was_joined) {
  for (const std::vector<std::pair<int, int>>& joins : {std::vector<std::pair<int, int>>{{7, 4}, {4, 2}, {2, 9}},
                                                        {{2, 9}, {9, 7}, {7, 4}},
                                                        {{9, 7}, {4, 2}, {9, 4}},
                                                        {{9, 4}, {7, 2}, {2, 9}, {9, 2}, {4, 4}}}) {
    DisjointSets sets(10);
    for (const auto& [a, b] : joins) sets.join(a, b);
    for (int i : {2, 4, 7, 9}) EXPECT_EQ(sets.root(i), 2) << i;
    for (int i : {0, 1, 3, 5, 6, 8}) EXPECT_EQ(sets.root(i), i) << i;
  }
}

// Against the slow way: every join renames all members of one of the two sets.
TEST(DisjointSets, joins_are_transitive_and_join_nothing_else) {
  constexpr int count = 200;
  for (std::uint64_t key = 0; key < 5; ++key) {
    DisjointSets sets(count);
    std::vector<int> smallest(count);
    for (int i = 0; i < count; ++i) smallest[i] = i;
    for (int join = 0; join < 150; ++join) {
      const int a = int(count * uniform(key, 2 * join)), b = int(count * uniform(key, 2 * join + 1));
      sets.join(a, b);
      const int low = std::min(smallest[a], smallest[b]), high = std::max(smallest[a], smallest[b]);
      for (int& s : smallest)
        if (s == high) s = low;
      if (join % 10 == 0) {
        EXPECT_EQ(sets.root(b), low);
      }
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(sets.root(i), smallest[i]) << i;
  }
}

}  // namespace
}  // namespace coracle
