// How two runs differ: options, progress, steps, figures, histories, surfaces.
#pragma once

#include "coracle/out/compare_steps.h"
#include "coracle/out/compare_surfaces.h"
#include "coracle/show/compare_histories.h"

#include <string>
#include <vector>

namespace coracle {

struct Comparison {
  std::vector<JsonDifference> options;
  RunsDifference runs;
  HistoriesDifference histories;
  std::vector<FramePair> frames;  // whose surfaces are compared
  std::vector<FileDifference> files;
  double fps = 24;  // of the frames of a
  double cell = 1;  // m, of a
  double side = 1;  // m: the longest of the domain of a
};

// `figures` may be empty (out/compare_steps.h).
Comparison compare_runs(const Replay& a, const Replay& b, const std::vector<Expectation>& figures,
                        const std::vector<FramePair>& frames);

// Whether all steps and all files compared have the same bits, whatever the options say.
bool same_results(const Comparison& comparison);
// The figures and histories that are finite in neither run, one line each.
std::vector<std::string> not_finite_in_both(const Comparison& comparison);

// What differs by more than `tolerance`, one line each: figures in relation to their value in a, histories to their
// range, surfaces to the longest side of the domain. What only one run has always counts, and so does what is finite in
// neither. With a tolerance of 0 so does every bit of the steps and files.
std::vector<std::string> differences_above(const Comparison& comparison, double tolerance);

// In aligned columns, for people.
std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace coracle
