// Differences between the options, steps and figures of two runs, made up line by line.
#include "coracle/out/compare_steps.h"

#include "coracle/out/figures.h"
#include "temporary_directory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace coracle {
namespace {

StatsLine parse(const std::string& text) { return StatsLine::parse(text); }

std::vector<std::string> paths(const std::vector<JsonDifference>& found) {
  std::vector<std::string> all;
  all.reserve(found.size());
  for (const JsonDifference& d : found) all.push_back(d.path);
  return all;
}

TEST(JsonDifference, a_value_does_not_differ_from_itself) {
  const StatsLine value = parse(R"({"a": 0.1, "b": [{"name": "x", "c": [1, 2]}, {"c": null}], "d": {}, "e": []})");
  EXPECT_TRUE(json_differences(value, value).empty());
  EXPECT_EQ(json_leaves(value), 5u) << "a, x, b.0.c, b.1.c, e; d has none";
}

TEST(JsonDifference, entries_of_lists_are_found_by_name_wherever_they_stand) {
  const StatsLine a = parse(R"({"body": [{"name": "x", "young": 1.0}, {"name": "y", "young": 2.0, "at": [0, 1, 2]}]})");
  const StatsLine b = parse(R"({"body": [{"name": "y", "young": 3.0, "at": [0, 1, 3]}, {"name": "x", "young": 1.0}]})");
  EXPECT_EQ(paths(json_differences(a, b)), (std::vector<std::string>{"body.y.young", "body.y.at"}));
  EXPECT_EQ(json_differences(a, b)[0].a, 2.0);
  EXPECT_EQ(json_differences(a, b)[0].b, 3.0);
}

TEST(JsonDifference, entries_without_names_are_found_by_number) {
  const StatsLine a = parse(R"({"region": [{"r": 1}, {"r": 2}]})"), b = parse(R"({"region": [{"r": 1}, {"r": 3}]})");
  EXPECT_EQ(paths(json_differences(a, b)), (std::vector<std::string>{"region.1.r"}));
}

TEST(JsonDifference, what_one_side_lacks_is_one_difference) {
  const StatsLine a = parse(R"({"body": [{"name": "x", "young": 1.0, "poisson": 0.3}], "k": 1})"), b = parse("{}");
  const std::vector<JsonDifference> found = json_differences(a, b), back = json_differences(b, a);
  EXPECT_EQ(paths(found), (std::vector<std::string>{"body.x", "k"})) << "one per entry of a list";
  EXPECT_EQ(json_leaves(*found[0].a), 3u);
  EXPECT_FALSE(found[0].b.has_value());
  EXPECT_FALSE(back[1].a.has_value());
  EXPECT_EQ(back[1].b, 1);
  const StatsLine empty = parse(R"({"body": [], "k": 1})");
  EXPECT_EQ(paths(json_differences(a, empty)), (std::vector<std::string>{"body.x"}));
}

TEST(JsonDifference, numbers_differ_by_their_last_bit) {
  StatsLine a, b;
  a["x"] = 0.3, b["x"] = std::nextafter(0.3, 1.0);
  EXPECT_EQ(json_differences(a, b).size(), 1u);
  a["x"] = 0.0, b["x"] = -0.0;
  EXPECT_EQ(json_differences(a, b).size(), 1u);
}

// A run of a cube alone; step i ends at i · dt.
class CompareSteps : public testing::Test {
 protected:
  struct Made {
    int steps = 4, frames = 2;
    double young = 1e5, lift = 0, dt = 0.01;
    double (*height)(double) = [](double t) { return 0.5 - 10 * t; };
    std::string clock = "0.5";
  };
  Replay make(const std::string& name, const Made& m) const {
    const std::string at = dir / name;
    make_directories(at + "/frames");
    write_atomically(at + "/scene.toml", fmt::format(R"(title = "made"
[domain]
resolution = 8
[time]
frames = {}
fps = 50
[[body]]
name = "cube"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
young = {}
)",
                                                     m.frames, m.young));
    std::string lines, probes = "step,time,tip\n";
    for (int i = 1; i <= m.steps; ++i) {
      const double t = m.dt * i, y = m.height(t) + m.lift;
      lines += fmt::format(
          R"({{"step": {0}, "time": {1}, "dt": {4}, "stages": {{"solve": {2}}}, "solver": {{"iterations": 7, "solve_s": {2}}}, )"
          R"("bodies": [{{"name": "cube", "center": [0.5, {3}, 0.5]}}], "memory_mb": {2}}})"
          "\n",
          i, t, m.clock, y, m.dt);
      probes += fmt::format("{},{},{}\n", i, t, y);
    }
    write_atomically(at + "/stats.jsonl", lines);
    write_atomically(at + "/probes.csv", probes);
    return open_replay(at);
  }
  TemporaryDirectory dir;
};

TEST_F(CompareSteps, options_that_differ_are_named_with_both_values) {
  const Replay a = make("a", {}), b = make("b", {.young = 2e5});
  const std::vector<JsonDifference> found = option_differences(a.dir, b.dir);
  EXPECT_EQ(paths(found), std::vector<std::string>{"body.cube.young"});
  EXPECT_EQ(found[0].a, 1e5);
  EXPECT_EQ(found[0].b, 2e5);
  EXPECT_TRUE(option_differences(a.dir, a.dir).empty());
}

TEST_F(CompareSteps, the_clock_and_the_memory_make_no_difference) {
  const RunsDifference found = compare_steps(make("a", {}), make("b", {.clock = "0.75"}));
  EXPECT_EQ(found.steps.common, 4);
  EXPECT_EQ(found.steps.first, 0);
  EXPECT_EQ(found.a.wall, 2);
  EXPECT_EQ(found.b.wall, 3);
  EXPECT_EQ(found.a.frames, 2);
  for (const FigureDifference& f : found.figures) EXPECT_EQ(f.relative(), 0) << f.figure;
}

TEST_F(CompareSteps, the_first_step_that_differs_is_named_with_its_values) {
  const Replay a = make("a", {}), b = make("b", {});
  std::string lines = read_file(b.dir + "/stats.jsonl");
  const std::string third = "\"center\": [0.5, 0.2,";  // 0.5 − 10 · 0.03
  ASSERT_NE(lines.find(third), std::string::npos) << lines;
  lines.replace(lines.find(third), third.size(), "\"center\": [0.5, 0.9,");
  write_atomically(b.dir + "/stats.jsonl", lines);
  const StepsDifference found = compare_steps(a, b).steps;
  EXPECT_EQ(found.first, 3);
  EXPECT_DOUBLE_EQ(found.time, 0.03);
  EXPECT_EQ(paths(found.where), std::vector<std::string>{"bodies.cube.center"});
}

TEST_F(CompareSteps, a_probe_that_differs_makes_the_step_differ) {
  const Replay a = make("a", {}), b = make("b", {});
  std::string rows = read_file(b.dir + "/probes.csv");
  rows.replace(rows.find("2,0.02,0.3"), 10, "2,0.02,0.4");
  write_atomically(b.dir + "/probes.csv", rows);
  const StepsDifference found = compare_steps(a, b).steps;
  EXPECT_EQ(found.first, 2);
  EXPECT_EQ(paths(found.where), std::vector<std::string>{"probes.tip"});
}

TEST_F(CompareSteps, figures_differ_by_what_is_added_and_have_a_relation_to_the_first_run) {
  const std::vector<Expectation> figures{parse_figure("max bodies.cube.center.y"), parse_figure("range probes.tip"),
                                         parse_figure("last bodies.ball.center.y"),
                                         parse_figure("last bodies.cube.center.y from 7")};
  const Replay a = make("a", {}), b = make("b", {.lift = 0.2});
  const RunsDifference found = compare_steps(a, b, figures), back = compare_steps(b, a, figures);
  ASSERT_EQ(found.figures.size(), 4u);
  EXPECT_EQ(found.figures[0].figure, "max bodies.cube.center.y");
  EXPECT_NEAR(found.figures[0].difference(), 0.2, 1e-15);
  EXPECT_NEAR(found.figures[0].relative(), 0.2 / 0.4, 1e-15);
  EXPECT_EQ(back.figures[0].difference(), -found.figures[0].difference());
  EXPECT_NEAR(found.figures[1].difference(), 0, 1e-15) << "a lift does not change the range";
  for (const int none : {2, 3}) {
    EXPECT_TRUE(std::isnan(found.figures[none].a) && std::isnan(found.figures[none].b));
    EXPECT_TRUE(found.figures[none].is_missing());
    EXPECT_EQ(found.figures[none].relative(), 0) << "neither run has it";
  }
  EXPECT_FALSE(found.figures[0].is_missing());
}

TEST_F(CompareSteps, figures_of_a_run_that_goes_on_count_the_time_that_both_have_reached) {
  const std::vector<Expectation> figures{parse_figure("last bodies.cube.center.y"), parse_figure("min probes.tip")};
  const RunsDifference found = compare_steps(make("a", {.steps = 4}), make("b", {.steps = 2}), figures);
  EXPECT_EQ(found.steps.common, 2);
  EXPECT_EQ(found.steps.first, 0);
  EXPECT_EQ(found.a.steps, 4);
  EXPECT_EQ(found.b.steps, 2);
  EXPECT_DOUBLE_EQ(found.b.time, 0.02);
  EXPECT_EQ(found.b.state, "interrupted");
  for (const FigureDifference& f : found.figures) EXPECT_EQ(f.difference(), 0) << f.figure;
}

// Runs of one second in all, at 24 and at 20 steps per second: no step but the last ends at the same time, and the
// second run stops before that one.
class TwoSamplings : public CompareSteps {
 protected:
  static constexpr double dt_a = 1.0 / 24, dt_b = 1.0 / 20;
  double difference(const char* figure, double (*of)(double)) const {
    const Replay a = make("a", {.steps = 24, .dt = dt_a, .height = of});
    const Replay b = make("b", {.steps = 19, .dt = dt_b, .height = of});
    const FigureDifference f = compare_steps(a, b, {parse_figure(figure)}).figures.at(0);
    EXPECT_TRUE(std::isfinite(f.a)) << figure;
    return std::abs(f.difference());
  }
};

TEST_F(TwoSamplings, of_a_line_have_the_same_figures) {
  const double rounding = 24 * 4 * std::numeric_limits<double>::epsilon();  // of sums of 24 values of size 1 to 4
  for (const char* take : {"first", "last", "min", "max", "mean", "range", "change", "ratio"})
    for (const char* time : {"", " from 0.11 to 0.77"})
      EXPECT_LE(difference((std::string(take) + " probes.tip" + time).c_str(), [](double t) { return 1 + 3 * t; }),
                rounding)
          << take << time;
}

TEST_F(TwoSamplings, of_a_wave_have_figures_that_differ_by_the_error_of_lines_between_their_points) {
  // The line between points of f that are h apart is nowhere more than h² max |f″| / 8 away from f. So are its values,
  // its extrema and its mean from those of f. Here |f″| ≤ 36, and f is between 1 and 3.
  const auto wave = [](double t) { return 2 + std::sin(6 * t); };
  const double error = 36 * (dt_a * dt_a + dt_b * dt_b) / 8;  // of both together
  for (const char* take : {"first", "last", "min", "max", "mean"})
    EXPECT_LE(difference((std::string(take) + " probes.tip").c_str(), wave), error) << take;
  for (const char* take : {"range", "change"})
    EXPECT_LE(difference((std::string(take) + " probes.tip").c_str(), wave), 2 * error) << take;
  // With y = r x and both wrong by e: |Δr| ≤ (e + r e) / x, and r ≤ 3, x ≥ 1.
  EXPECT_LE(difference("ratio probes.tip", wave), (1 + 3) * error);
  EXPECT_GT(std::abs(wave(22 * dt_a) - wave(19 * dt_b)), 5 * error) << "the last steps before the common time";
}

TEST_F(TwoSamplings, count_the_steps_that_end_in_the_common_time) {
  EXPECT_EQ(difference("count_above 0 probes.tip", [](double) { return 1.0; }), 22 - 19);
}

TEST_F(CompareSteps, a_figure_that_is_not_finite_in_both_runs_is_not_equal) {
  // The tip ends at 0, and 0 / 0 is no number.
  const auto sinking = [](double t) { return t < 0.035 ? 1.0 : 0.0; };
  const Replay a = make("a", {.height = sinking});
  const RunsDifference found = compare_steps(
      a, a,
      {parse_figure("last probes.tip / probes.tip"), parse_figure("first probes.tip / probes.tip"),
       parse_figure("count_above 0 probes.tip / probes.tip"), parse_figure("first probes.tip / probes.tip to 0.03"),
       parse_figure("count_above 0 probes.tip from 0.05")});
  for (int f = 0; f < 3; ++f) {
    EXPECT_FALSE(found.figures[f].is_missing());
    EXPECT_TRUE(std::isinf(found.figures[f].relative())) << found.figures[f].figure;
  }
  EXPECT_EQ(found.figures[3].a, 1) << "before that it is one";
  EXPECT_EQ(found.figures[3].relative(), 0);
  EXPECT_TRUE(found.figures[4].is_missing());
}

TEST_F(CompareSteps, a_value_that_was_zero_or_that_one_run_lacks_has_no_finite_relation) {
  EXPECT_TRUE(std::isinf((FigureDifference{"", 0, 1e-9}.relative())));
  EXPECT_TRUE(std::isinf((FigureDifference{"", NAN, 1}.relative())));
  EXPECT_TRUE(std::isinf((FigureDifference{"", 1, NAN}.relative())));
  EXPECT_TRUE(std::isinf((FigureDifference{"", NAN, NAN}.relative())));
  EXPECT_EQ((FigureDifference{"", 0, 0}.relative()), 0);
}

TEST_F(CompareSteps, without_expectations_the_bodies_and_the_solver_are_measured) {
  std::vector<std::string> names;
  for (const FigureDifference& f : compare_steps(make("a", {}), make("b", {})).figures) names.push_back(f.figure);
  EXPECT_NE(std::find(names.begin(), names.end(), "last bodies.cube.elastic_energy"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "mean solver.iterations"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "last liquid.volume"), names.end()) << "there is no liquid";
}

}  // namespace
}  // namespace coracle
