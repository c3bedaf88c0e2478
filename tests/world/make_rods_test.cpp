#include "coracle/world/make_rods.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coracle {
namespace {

std::string refusal(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments) {
  try {
    (void)make_rods(x, segments);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(MakeRods, what_is_wrong_with_a_line_is_told_with_its_place_and_a_remedy) {
  EXPECT_EQ(refusal({{1, 2, 3}, {1, 2, 3}}, {{0, 1}}), "a segment at (1, 2, 3) has no length; leave it out");
  EXPECT_EQ(refusal({{1, 2, 3}, {1, 2, 4}}, {{0, 1}, {1, 0}}),
            "the segment from (1, 2, 4) to (1, 2, 3) is there twice; leave one out");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 1}, {1, 2}}),
            "the rod is folded onto itself at (1, 0, 0); open the fold by another point");
}

}  // namespace
}  // namespace coracle
