#include "coracle/show/chart.h"

#include "../out/temporary_directory.h"
#include "coracle/base/files.h"
#include "coracle/show/picture.h"
#include "coracle/show/run_charts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>

namespace coracle {
namespace {

// The highest place of a path on the page: SVG's y runs down.
double highest(const std::string& svg) {
  const std::regex point("[ML]([0-9.]+) ([0-9.]+)(?=[ML\"])");
  const std::size_t path = svg.find("stroke-width=\"1.6\"");
  const std::string line = svg.substr(svg.rfind("<path", path), path - svg.rfind("<path", path));
  double y = INFINITY;
  for (std::sregex_iterator at(line.begin(), line.end(), point); at != std::sregex_iterator(); ++at)
    y = std::min(y, std::stod((*at)[2]));
  return y;
}

TEST(Chart, a_peak_of_one_point_among_many_is_drawn) {
  Points flat, peak;
  for (int i = 0; i < 20000; ++i) peak.push_back({i, i == 12345 ? 1.0 : 0.0});
  const std::string svg = charts_svg({{"t", "x", "y", {{"", peak}}}});
  EXPECT_NEAR(highest(svg), 30, 0.1);  // the top of the frame
  EXPECT_LT(svg.size(), 30000u);
}

TEST(Chart, what_is_not_finite_breaks_the_line_and_is_not_drawn) {
  const std::string svg =
      charts_svg({{"t", "x", "y", {{"", {{0, 1}, {1, 2}, {2, NAN}, {3, INFINITY}, {4, 1}, {5, 2}}}}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  const std::size_t path = svg.find("d=\"M", svg.find("rotate(-90)"));
  const std::string line = svg.substr(path, svg.find("fill=\"none\"", path) - path);
  EXPECT_EQ(std::count(line.begin(), line.end(), 'M'), 2);
}

TEST(Chart, values_that_differ_by_rounding_are_drawn_as_one) {
  const std::string svg = charts_svg({{"t", "x", "y", {{"", {{0, 0.027}, {1, std::nextafter(0.027, 1)}}}}}});
  EXPECT_LT(svg.size(), 10000u);
  EXPECT_NE(svg.find(">0.026<"), std::string::npos) << "the axis spans a tenth to both sides";
}

TEST(Chart, labels_tell_close_ticks_apart) {
  const std::string svg = charts_svg({{"t", "x", "y", {{"", {{0, 1.00001}, {1, 1.00002}}}}}});
  for (const char* label : {">1.000012<", ">1.000014<", ">1.000016<"}) EXPECT_NE(svg.find(label), std::string::npos);
}

TEST(RunCharts, gas_has_its_own_figures) {
  const TemporaryDirectory dir;
  write_atomically(
      dir / "stats.jsonl",
      "{\"step\":1,\"time\":0.5,\"dt\":0.5,\"gas\":{\"smoke\":2,\"expected_smoke\":3,\"max_temperature\":4,"
      "\"max_speed\":5,\"kinetic_energy\":6}}\n");
  std::map<std::string, double> last;
  for (const Chart& chart : run_charts(dir.path))
    for (const Series& s : chart.series) last[chart.title + "/" + s.name] = s.points.back().second;
  EXPECT_EQ(last["Energy/gas, moving"], 6);
  EXPECT_EQ(last["Smoke of 1/there is"], 2);
  EXPECT_EQ(last["Smoke of 1/there should be"], 3);
  EXPECT_EQ(last["Hottest gas, above the surroundings/"], 4);
  EXPECT_EQ(last["Fastest liquid or gas/"], 5);
  EXPECT_EQ(last.count("Energy/liquid, moving"), 0u);
}

TEST(Chart, a_picture_has_the_same_lines_as_the_page) {
  const Drawing page = draw_charts({{"Title", "x", "m³", {{"s", {{0, 0}, {1, 1}}, Mark::line, "#ff0000"}}}}, 1);
  const Picture picture = as_picture(page, 2);
  EXPECT_EQ(picture.width, int(2 * page.width));
  EXPECT_EQ(picture.height, int(2 * page.height));
  const auto is = [&](double x, double y, int r, int g, int b) {
    const std::uint8_t* p = picture.at(int(2 * x), int(2 * y));
    return p[0] == r && p[1] == g && p[2] == b;
  };
  EXPECT_TRUE(is(70 + 235, (30 + 255) / 2.0, 255, 0, 0)) << "the middle of the diagonal";
  EXPECT_TRUE(is(100, 60, 255, 255, 255)) << "beside it";
  int ink = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 140; x < 260; ++x) ink += picture.at(x, y)[0] == 0;
  EXPECT_GT(ink, 50) << "the title";
}

TEST(Chart, a_table_has_a_row_per_time_and_a_column_per_series) {
  EXPECT_EQ(charts_csv({{"A", "time, s", "J", {{"one", {{0, 1}, {1, 2.5}}}, {"", {{1, NAN}}}}},
                        {"B", "time, s", "", {{"say \"x\"", {{1, 7}, {2, 8}}}}}}),
            "\"time, s\",\"A: one (J)\",\"A (J)\",\"B: say \"\"x\"\"\"\n0,1,,\n1,2.5,,7\n2,,,8\n");
}

TEST(RunCharts, probes_are_drawn_by_their_type) {
  const TemporaryDirectory dir;
  write_atomically(dir / "stats.jsonl", "{\"step\":1,\"time\":0.5,\"dt\":0.5}\n");
  write_atomically(dir / "probes.csv", "step,time,level,push_x,push_y,push_z\n1,0.5,0.25,1,2,3\n");
  ProbeOptions level, push;
  level.name = "level", level.kind = ProbeKind::height;
  push.name = "push", push.kind = ProbeKind::force;
  std::map<std::string, double> last;
  for (const Chart& chart : run_charts(dir.path, {level, push}))
    for (const Series& s : chart.series)
      last[chart.title + "/" + s.name + "/" + chart.y_label] = s.points.back().second;
  EXPECT_EQ(last["Probes: height/level/m"], 0.25);
  EXPECT_EQ(last["Probes: force/push_y/N"], 2);
  EXPECT_EQ(last["Probes: force/push_z/N"], 3);
}

TEST(Chart, text_is_escaped_and_an_empty_chart_is_still_one) {
  const std::string svg = charts_svg({{"a < b & c", "x", "y", {}}, {"second", "", "", {{"s", {{1, 1}}}}}}, 2);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("second"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace coracle
