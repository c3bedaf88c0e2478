#include "coracle/base/polyline.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const Points bent{{0.1, 1}, {0.3, 5}, {0.7, 3}};

TEST(Polyline, passes_its_points_to_the_bit_and_is_linear_between_them) {
  Polyline line(bent);
  EXPECT_EQ(line(0.1), 1);
  EXPECT_NEAR(line(0.15), 2, 1e-15);
  EXPECT_EQ(line(0.3), 5);
  EXPECT_NEAR(line(0.6), 3.5, 1e-15);
  EXPECT_EQ(line(0.7), 3);
}

TEST(Polyline, a_part_has_the_points_within_and_the_values_at_its_ends) {
  EXPECT_EQ(cut_out(bent, span_of(bent)), bent);
  const Points part = cut_out(bent, {0.2, 0.5});
  ASSERT_EQ(part.size(), 3u);
  EXPECT_EQ(part[0].first, 0.2);
  EXPECT_NEAR(part[0].second, 3, 1e-15);
  EXPECT_EQ(part[1], bent[1]);
  EXPECT_EQ(part[2].first, 0.5);
  EXPECT_NEAR(part[2].second, 4, 1e-15);
  EXPECT_EQ(cut_out(bent, {0.3, 0.3}), (Points{{0.3, 5}})) << "a moment is one point";
}

TEST(Polyline, spans_that_do_not_meet_have_nothing_in_common) {
  EXPECT_TRUE(span_of({}).is_empty());
  EXPECT_TRUE(common_span({0, 1}, {2, 3}).is_empty());
  EXPECT_TRUE(common_span({0, 1}, span_of({})).is_empty());
  EXPECT_FALSE(common_span({0, 1}, {1, 3}).is_empty());
  EXPECT_TRUE(cut_out(bent, common_span({0, 1}, {2, 3})).empty());
}

}  // namespace
}  // namespace coracle
