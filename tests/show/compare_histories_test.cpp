// The difference between histories: laws of piecewise linear functions.
#include "coracle/show/compare_histories.h"

#include "coracle/show/run_charts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

Points sampled(double (*f)(double), double step, double end) {
  Points points;
  for (int i = 0; i * step <= end * (1 + 1e-12); ++i) points.emplace_back(i * step, f(i * step));
  return points;
}
Points shifted(Points points, double by) {
  for (auto& [t, y] : points) y += by;
  return points;
}
double wave(double t) { return std::sin(6 * t); }
double ramp(double t) { return 2 * t; }

TEST(CompareHistories, a_history_does_not_differ_from_itself) {
  const Points a = sampled(wave, 0.01, 1);
  const HistoryDifference d = compare_points(a, a);
  EXPECT_EQ(d.largest, 0);
  EXPECT_EQ(d.rms, 0);
  EXPECT_EQ(d.relative(), 0);
}

TEST(CompareHistories, one_that_is_shifted_by_a_constant_differs_by_it_everywhere) {
  const Points a = sampled(wave, 0.01, 1);
  for (const double c : {0.25, -3.0}) {
    const HistoryDifference d = compare_points(a, shifted(a, c));
    EXPECT_NEAR(d.largest, std::abs(c), 1e-14);
    EXPECT_NEAR(d.rms, std::abs(c), 1e-14);
    EXPECT_NEAR(d.range, 2, 2e-3) << "of a sine over a period";
    EXPECT_EQ(d.relative(), d.largest / d.range);
  }
}

TEST(CompareHistories, steps_of_other_lengths_make_no_difference_to_a_line) {
  const HistoryDifference d = compare_points(sampled(ramp, 0.1, 1), sampled(ramp, 0.03, 0.99));
  EXPECT_LT(d.largest, 1e-15);
  EXPECT_NEAR(d.range, 1.98, 1e-12) << "over the times that both have";
}

TEST(CompareHistories, the_largest_difference_and_the_rms_of_lines_are_exact) {
  // d = t on [0, 1], with a point between: ∫ t² = 1/3.
  const HistoryDifference d = compare_points({{0, 0}, {1, 2}}, {{0, 0}, {0.3, 0.9}, {1, 3}});
  EXPECT_NEAR(d.largest, 1, 1e-15);
  EXPECT_EQ(d.at, 1);
  EXPECT_NEAR(d.rms, std::sqrt(1.0 / 3), 1e-15);
  // A peak of one between the points of the other.
  const HistoryDifference peak = compare_points({{0, 0}, {1, 0}, {2, 1}}, {{0, 0}, {0.4, 5}, {0.8, 0}, {2, 1}});
  EXPECT_NEAR(peak.largest, 5, 1e-15);
  EXPECT_EQ(peak.at, 0.4);
}

TEST(CompareHistories, both_orders_give_the_same_difference) {
  const Points a = sampled(wave, 0.013, 1), b = sampled(ramp, 0.01, 0.9);
  const HistoryDifference d = compare_points(a, b), e = compare_points(b, a);
  EXPECT_GT(d.largest, 1);
  EXPECT_EQ(d.largest, e.largest);
  EXPECT_EQ(d.at, e.at);
  EXPECT_EQ(d.rms, e.rms);
}

TEST(CompareHistories, a_constant_is_measured_by_its_size) {
  const Points a{{0, 4}, {1, 4 + 1e-15}, {2, 4}};
  EXPECT_NEAR(compare_points(a, shifted(a, 1)).relative(), 0.25, 1e-12) << "not by its rounding";
  const Points zero{{0, 0}, {1, 0}};
  EXPECT_TRUE(std::isinf(compare_points(zero, shifted(zero, 1)).relative()));
}

TEST(CompareHistories, rounding_beside_large_values_is_no_difference) {
  const Points large{{0, 0}, {1, 2}}, rounding{{0, 0}, {1, 1e-28}};
  const std::vector<Chart> a{{"E", "t", "J", {{"large", large}, {"none", rounding}}}},
      b{{"E", "t", "J", {{"large", large}, {"none", shifted(rounding, 3e-28)}}}};
  const HistoriesDifference d = compare_histories(a, b);
  ASSERT_EQ(d.differ.size(), 1u) << "a bit differs";
  EXPECT_LT(d.differ[0].relative(), 1e-15) << "3e-28 of 2, whatever the range of what is zero";
}

TEST(CompareHistories, what_is_not_finite_in_both_is_named_and_in_one_is_infinite) {
  const Points a{{0, 1}, {1, NAN}, {2, 1}, {3, 1}};
  EXPECT_EQ(compare_points(a, a).largest, 0);
  EXPECT_EQ(compare_points(a, a).none_at, 1);
  const HistoriesDifference both = compare_histories({{"E", "t", "J", {{"x", a}}}}, {{"E", "t", "J", {{"x", a}}}});
  EXPECT_TRUE(both.same.empty() && both.differ.empty()) << "no number is not the same as no number";
  ASSERT_EQ(both.not_finite.size(), 1u);
  EXPECT_EQ(both.not_finite[0].first, "E: x");
  EXPECT_EQ(both.not_finite[0].second, 1);
  const HistoryDifference d = compare_points(a, {{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  EXPECT_TRUE(std::isinf(d.largest));
  EXPECT_EQ(d.at, 1);
  EXPECT_EQ(d.rms, 0) << "where both are finite";
  EXPECT_FALSE(d.none_at.has_value());
}

TEST(CompareHistories, series_are_matched_by_name_and_sorted_by_their_difference) {
  const Points line{{0, 0}, {1, 1}}, later{{5, 0}, {6, 1}};
  const std::vector<Chart> a{{"E", "t", "J", {{"small", line}, {"large", line}, {"equal", line}, {"mine", line}}},
                             {"F", "t", "N", {{"", line}, {"apart", line}}},
                             {clock_chart, "t", "ms", {{"solve", line}}}};
  const std::vector<Chart> b{
      {clock_chart, "t", "ms", {{"solve", shifted(line, 9)}}},
      {"F", "t", "N", {{"", shifted(line, 0.2)}, {"apart", later}}},
      {"E",
       "t",
       "J",
       {{"equal", line}, {"large", shifted(line, 0.5)}, {"small", shifted(line, 0.1)}, {"yours", line}}}};
  const HistoriesDifference d = compare_histories(a, b);
  ASSERT_EQ(d.differ.size(), 3u) << "without the times of the clock";
  EXPECT_EQ(d.differ[0].name, "E: large");
  EXPECT_EQ(d.differ[0].unit, "J");
  EXPECT_EQ(d.differ[1].name, "F");
  EXPECT_EQ(d.differ[2].name, "E: small");
  EXPECT_EQ(d.same, std::vector<std::string>{"E: equal"});
  EXPECT_EQ(d.only_a, (std::vector<std::string>{"E: mine", "F: apart"})) << "apart: no time in common";
  EXPECT_EQ(d.only_b, (std::vector<std::string>{"F: apart", "E: yours"}));
}

TEST(CompareHistories, both_are_drawn_in_one_chart_in_one_color) {
  const Points line{{0, 0}, {1, 1}};
  const std::vector<Chart> charts =
      overlaid({{"E", "t", "J", {{"x", line}, {"y", line}}}},
               {{"E", "t", "J", {{"y", shifted(line, 1)}, {"z", line}}}, {"F", "t", "", {{"", line}}}});
  ASSERT_EQ(charts.size(), 2u);
  ASSERT_EQ(charts[0].series.size(), 4u);
  const Series &y = charts[0].series[1], &of_b = charts[0].series[2], &z = charts[0].series[3];
  EXPECT_EQ(of_b.points[0].second, 1);
  EXPECT_EQ(of_b.color, y.color);
  EXPECT_NE(of_b.mark, y.mark);
  EXPECT_EQ(of_b.name, "") << "the legend has it once";
  EXPECT_EQ(z.name, "z");
  EXPECT_NE(z.color, y.color);
}

}  // namespace
}  // namespace coracle
