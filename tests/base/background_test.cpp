#include "coracle/base/background.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace coracle {
namespace {

TEST(Background, does_all_in_order) {
  std::vector<int> done;
  {
    Background background;
    for (int i = 0; i < 100; ++i) background.later([&done, i] { done.push_back(i); });
    background.wait();
    EXPECT_EQ(done.size(), 100u);
    background.later([&] { done.push_back(100); });
  }
  ASSERT_EQ(done.size(), 101u);
  for (int i = 0; i < 101; ++i) EXPECT_EQ(done[i], i);
}

TEST(Background, tells_of_the_first_failure_and_begins_nothing_after_it) {
  Background background;
  bool after = false;
  background.later([] { throw std::runtime_error("full"); });
  background.later([&] { after = true; });
  EXPECT_THROW(background.wait(), std::runtime_error);
  EXPECT_FALSE(after);
  background.later([&] { after = true; });
  background.wait();
  EXPECT_TRUE(after);
}

}  // namespace
}  // namespace coracle
