// A run's figures over time, from stats.jsonl.
#pragma once

#include "coracle/show/chart.h"

namespace coracle {

// Energies, volume of the liquid and of its pockets, smoke and temperature of gas, speed, solver iterations, step
// length, times of the stages. Charts without data are left out.
std::vector<Chart> run_charts(const std::string& dir);

}  // namespace coracle
