// What counts as a difference above a tolerance, and what people read, from a comparison that is made up.
#include "coracle/show/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

// Two runs of four steps that agree in every bit.
Comparison equal() {
  Comparison c;
  for (RunReached* r : {&c.runs.a, &c.runs.b}) r->steps = 4, r->time = 0.5, r->frames = 2, r->state = "complete";
  c.runs.steps.common = 4;
  c.runs.figures = {{"max x", 2, 2}};
  c.histories.same = {"Energy"};
  c.frames = {{2, 2}};
  c.files = {{.file = "surface", .frame = {2, 2}, .same_bits = true, .distance = SurfaceDistance{}}};
  c.side = 4;
  c.cell = 0.5;
  return c;
}

TEST(Comparison, equal_runs_are_within_every_tolerance) {
  EXPECT_TRUE(same_results(equal()));
  EXPECT_TRUE(differences_above(equal(), 0).empty());
  EXPECT_NE(comparison_text(equal()).find("no difference: 4 steps"), std::string::npos) << comparison_text(equal());
}

// The difference counts above every tolerance below `size`, and not at `size`.
void expect_size(const Comparison& c, double size) {
  EXPECT_EQ(differences_above(c, 0.99 * size).size(), 1u) << size;
  EXPECT_TRUE(differences_above(c, 1.01 * size).empty()) << size;
}

TEST(Comparison, figures_histories_and_surfaces_are_measured_by_value_range_and_side) {
  Comparison figure = equal();
  figure.runs.figures[0].b = 1.5;
  expect_size(figure, 0.25);
  Comparison history = equal();
  history.histories.differ = {{.name = "Energy", .unit = "J", .largest = 0.3, .at = 0.1, .rms = 0.1, .range = 3}};
  expect_size(history, 0.1);
  Comparison surface = equal();
  surface.files[0].same_bits = false;
  surface.files[0].distance->largest = 0.02;
  expect_size(surface, 0.005);
  EXPECT_FALSE(same_results(surface));
}

TEST(Comparison, what_one_run_lacks_is_above_every_tolerance) {
  constexpr double huge = 1e30;
  Comparison c = equal();
  c.histories.only_b = {"Energy: gas"};
  EXPECT_EQ(differences_above(c, huge), std::vector<std::string>{"only B has Energy: gas"});
  c = equal();
  c.files[0].only = OnlyIn::a;
  EXPECT_EQ(differences_above(c, huge), std::vector<std::string>{"only A has surface in frame 2"});
  c = equal();
  c.runs.figures[0].b = NAN;
  EXPECT_EQ(differences_above(c, huge).size(), 1u);
  c = equal();
  c.runs.b.time = 0.4;
  EXPECT_EQ(differences_above(c, huge), std::vector<std::string>{"the runs are at 0.5 s and 0.4 s"});
}

TEST(Comparison, what_is_finite_in_neither_run_is_named_and_above_every_tolerance) {
  Comparison c = equal();
  c.runs.figures[0].a = c.runs.figures[0].b = NAN;
  c.histories.not_finite = {{"Energy: gas", 0.25}};
  const std::vector<std::string> lines{"max x is finite in neither run",
                                       "Energy: gas is finite in neither run at 0.25 s"};
  for (const double tolerance : {0.0, 1e30}) EXPECT_EQ(differences_above(c, tolerance), lines);
  for (const std::string& line : lines)
    EXPECT_NE(comparison_text(c).find(line), std::string::npos) << comparison_text(c);
  EXPECT_EQ(comparison_text(c).find("no difference"), std::string::npos);
  c = equal();
  c.runs.figures[0] = {"max x", NAN, NAN, false, false};
  EXPECT_TRUE(differences_above(c, 0).empty()) << "no step of either run has it";
}

TEST(Comparison, bits_count_only_with_a_tolerance_of_zero) {
  Comparison c = equal();
  c.files[0].same_bits = false;  // of velocities, say
  EXPECT_TRUE(differences_above(c, 1e-300).empty());
  EXPECT_EQ(differences_above(c, 0).size(), 1u);
  c = equal();
  c.runs.steps.first = 3;
  c.runs.steps.where = {{"dt", 0.1, 0.2}};
  EXPECT_TRUE(differences_above(c, 1e-300).empty());
  EXPECT_EQ(differences_above(c, 0), std::vector<std::string>{"step 3 differs in dt"});
  EXPECT_FALSE(same_results(c));
  c = equal();
  c.runs.b.steps = 5;
  EXPECT_EQ(differences_above(c, 0).size(), 1u);
}

TEST(Comparison, one_line_tells_all_files_of_a_kind) {
  Comparison c = equal();
  c.runs.steps.first = 1;
  c.runs.steps.where = {{"dt", 0.1, 0.2}};
  c.frames = {{1, 1}, {2, 2}};
  c.files = {{.file = "surface", .frame = {1, 1}, .same_bits = true},
             {.file = "surface", .frame = {2, 2}, .same_bits = true},
             {.file = "drops", .frame = {1, 1}},
             {.file = "drops", .frame = {2, 2}, .same_bits = true}};
  const std::string text = comparison_text(c);
  EXPECT_NE(text.find("the same to the bit: surface in 2 frames, drops in 1 frame\n"), std::string::npos) << text;
  EXPECT_NE(text.find("other bits, distance not measured: drops in 1 frame\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("no difference"), std::string::npos);
}

}  // namespace
}  // namespace coracle
