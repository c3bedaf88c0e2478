// Figures of a run, in words: the numbers that expectations bound, without their bounds.
//   TAKE OF [from SECONDS] [to SECONDS]
// TAKE and OF are those of expect.toml (out/judge.h); without a TAKE the last value counts. count_above has its number
// behind it.
//   max liquid.max_speed
//   ratio liquid.volume / liquid.expected_volume from 0.5
//   count_above 100 solver.iterations
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/expect.h"

#include <string>
#include <vector>

namespace coracle {

// An expectation with no bounds: judge() measures it. Throws SceneError; its place is "--figure <text>".
Expectation parse_figure(const std::string& text);
// The words that parse_figure() reads back.
std::string figure_name(const Expectation& figure);

// Adds the figures of `more` that `figures` does not have yet.
void add_figures(std::vector<Expectation>& figures, const std::vector<Expectation>& more);

}  // namespace coracle
