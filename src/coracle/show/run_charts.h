// A run's figures over time, from stats.jsonl.
#pragma once

#include "coracle/show/chart.h"

namespace coracle {

// Energies, volume of the liquid and of what it encloses, smoke and temperature of gas, speed, the solver's work, step
// length, time of the stages. Those of which the run has no figures are left out.
std::vector<Chart> run_charts(const std::string& dir);

}  // namespace coracle
