// What two runs did, step by step: how far they got, where they part, their figures.
#pragma once

#include "coracle/out/json_difference.h"
#include "coracle/out/replay.h"
#include "coracle/scene/expect.h"

#include <string>
#include <vector>

namespace coracle {

// The options of the two scene.toml files that differ, in their order.
std::vector<JsonDifference> option_differences(const std::string& dir_a, const std::string& dir_b);

// How far a run has got.
struct RunReached {
  std::string dir, title, preset, state;  // state: out/run.h
  int frames_asked = 0;
  long frames = 0;  // reached
  long steps = 0;
  double time = 0;  // s
  double wall = 0;  // s, of all steps, by the clock
};

struct StepsDifference {
  long common = 0;                         // steps that both have, from the first on
  long first = 0;                          // the first that differs; 0: none does
  double time = 0;                         // s: the end of that step of `a`
  std::vector<JsonDifference> where = {};  // in it
};

struct FigureDifference {
  std::string figure;
  double a = 0, b = 0;            // NaN: the run has no finite value
  bool in_a = true, in_b = true;  // whether the run has the number, finite or not, in the time that both have reached
  bool is_missing() const { return !in_a && !in_b; }
  double difference() const { return b - a; }
  // To |a|. Zero if it is missing; infinite if a is zero, or if either has no finite value.
  double relative() const;
};

struct RunsDifference {
  RunReached a, b;
  StepsDifference steps;
  std::vector<FigureDifference> figures;
};

// Reads the steps of both. Times by the clock and memory are not compared. Figures are those of the histories, linear
// between the ends of steps, over the times that both have: from the later of the first ends of steps to the earlier of
// the last. The mean is the integral over that time. Only count_above counts steps: those that end up to there.
// `figures` empty: those that the expectations of either scene measure; without any, some of the fluid, of the bodies
// and of the solver.
RunsDifference compare_steps(const Replay& a, const Replay& b, std::vector<Expectation> figures = {});

}  // namespace coracle
