// How far the histories of two runs are apart: the series that coracle plot draws, except those of the clock.
//
// A series is linear between its points. So is the difference of two, between all points of both: its largest value is
// at one of them, and the integral of its square is exact. Only the times that both series have count.
#pragma once

#include "coracle/show/chart.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

struct HistoryDifference {
  std::string name;  // "Energy: liquid, moving"
  std::string unit;
  double largest = 0;                  // |b − a|, in that unit; infinite where only one of the two is finite
  double at = 0;                       // s
  double rms = 0;                      // over time, where both are finite
  double range = 0;                    // of a; if it is constant, to rounding: its size. At least 10⁻¹² of `scale`
  std::optional<double> none_at = {};  // s: the first time at which neither is finite
  double relative() const;
};

struct HistoriesDifference {
  std::vector<HistoryDifference> differ;                   // the largest in relation to its range first
  std::vector<std::string> same;                           // no difference at any time
  std::vector<std::string> only_a, only_b;                 // or without a time that both have
  std::vector<std::pair<std::string, double>> not_finite;  // in neither, and the first time of that, s
};

// `scale`: the size of values beside which these are drawn, and beside whose rounding they mean nothing.
HistoryDifference compare_points(const Points& a, const Points& b, double scale = 0);
HistoriesDifference compare_histories(const std::vector<Chart>& a, const std::vector<Chart>& b);

// The charts of both over each other: b dashed, with dots.
std::vector<Chart> overlaid(const std::vector<Chart>& a, const std::vector<Chart>& b);

}  // namespace coracle
