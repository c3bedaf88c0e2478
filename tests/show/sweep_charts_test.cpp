// The charts of a sweep.
#include "coracle/show/sweep_charts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

TEST(SweepCharts, each_figure_is_drawn_over_the_first_setting_with_a_line_per_combination_of_the_others) {
  SweepTable table{{"s.a", "s.b"}, {"a", "b"}, {"max x", "max y"}, {}};
  for (const char* a : {"2", "1", "3"})
    for (const char* b : {"p", "q"})
      table.rows.push_back({"", {a, b}, {std::stod(a) * (*b == 'p' ? 1 : 10), NAN}, 5, 0.5, SweepState::done});
  table.rows[4].figures[0] = NAN;  // a = 3, b = p
  table.rows[4].state = SweepState::failed;
  const std::vector<Chart> charts = sweep_charts(table);
  ASSERT_EQ(charts.size(), 3u) << "max x, steps, time: no run has y";
  EXPECT_EQ(charts[0].title, "max x");
  EXPECT_EQ(charts[0].x_label, "s.a");
  ASSERT_EQ(charts[0].series.size(), 2u);
  EXPECT_EQ(charts[0].series[0].name, "b=p");
  EXPECT_EQ(charts[0].series[0].points, (Points{{1, 1}, {2, 2}})) << "in order of a; without the run that failed";
  EXPECT_EQ(charts[0].series[1].points, (Points{{1, 10}, {2, 20}, {3, 30}}));
  EXPECT_EQ(charts[1].series[0].points, (Points{{1, 5}, {2, 5}}));
}

TEST(SweepCharts, words_are_numbered_and_the_axis_says_which_is_which) {
  SweepTable table{{"method"}, {"method"}, {"max x"}, {}};
  for (const char* method : {"simultaneous", "cutcell"})
    table.rows.push_back({"", {method}, {1.0}, 5, 0.5, SweepState::done});
  const std::vector<Chart> charts = sweep_charts(table);
  ASSERT_EQ(charts.size(), 3u);
  EXPECT_EQ(charts[0].x_label, "method: 1 simultaneous, 2 cutcell");
  ASSERT_EQ(charts[0].series.size(), 1u);
  EXPECT_EQ(charts[0].series[0].name, "") << "no other settings: no legend";
  EXPECT_EQ(charts[0].series[0].points, (Points{{1, 1}, {2, 1}}));
}

}  // namespace
}  // namespace coracle
