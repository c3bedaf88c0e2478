#include "coracle/base/index_set.h"

#include <gtest/gtest.h>

#include <numeric>

namespace coracle {
namespace {

std::vector<std::size_t> members(const IndexSet& set) {
  std::vector<std::size_t> list;
  set.sweep([&](std::size_t i) { list.push_back(i); });
  return list;
}

TEST(IndexSet, is_swept_in_order_with_what_is_added_ahead_and_not_behind) {
  IndexSet set;
  set.clear(300);
  for (const int i : {200, 63, 5}) set.add(i);
  std::vector<std::size_t> seen;
  set.sweep([&](std::size_t i) {
    seen.push_back(i);
    if (i == 63) set.add(64), set.add(4), set.add(299);
    if (i == 5) set.add(6);
  });
  EXPECT_EQ(seen, (std::vector<std::size_t>{5, 6, 63, 64, 200, 299}));
  EXPECT_EQ(set.count(), 7u);
  EXPECT_TRUE(set.has(4));
  EXPECT_FALSE(set.has(7));
  set.clear(300);
  EXPECT_TRUE(set.empty());
}

TEST(IndexSet, takes_members_from_all_threads_and_gives_each_once) {
  constexpr std::size_t size = 100001;
  IndexSet thirds, copy;
  thirds.set_where(size, [](std::size_t i) { return i % 3 == 0; });
  copy.clear(size);
  std::vector<int> visits(size, 0);
  thirds.for_each([&](std::size_t i) {
    ++visits[i];
    for (const std::size_t k : {i, i + 1, i + 2}) copy.add(std::min(k, size - 1));
  });
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(visits[i], i % 3 == 0 ? 1 : 0);
  EXPECT_EQ(copy.count(), size);
  std::vector<std::size_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(members(copy), all);
  int within = 0;
  thirds.for_each_in(64, 192, [&](std::size_t i) { within += i >= 64 && i < 192 ? 1 : 1000; });
  EXPECT_EQ(within, 42);  // 66, 69, …, 189
}

TEST(IndexSet, takes_those_of_another_set_that_are_asked_for) {
  for (const std::size_t size : {70u, 100001u}) {
    IndexSet thirds, both;
    thirds.set_where(size, [](std::size_t i) { return i % 3 == 0; });
    both.set_where(size, [](std::size_t) { return true; });  // must be forgotten
    std::vector<int> asked(size, 0);
    both.set_where(thirds, [&](std::size_t i) { return ++asked[i], i % 2 == 0; });
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(asked[i], i % 3 == 0 ? 1 : 0);
      ASSERT_EQ(both.has(i), i % 6 == 0);
    }
    both.set_where(both, [](std::size_t i) { return i > 60; });
    EXPECT_EQ(members(both).front(), 66u);
  }
}

}  // namespace
}  // namespace coracle
