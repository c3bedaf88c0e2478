// A run's figures over time, from stats.jsonl and probes.csv.
#pragma once

#include "coracle/scene.h"
#include "coracle/show/chart.h"

namespace coracle {

// The one chart that depends on the machine.
inline constexpr const char* clock_chart = "Time of a step, by stage";

// What the scene's probes measured, one chart per type of probe; energies, volume of the liquid and of its pockets,
// smoke and temperature of gas, speed, solver iterations, step length, times of the stages. Charts without data are
// left out.
std::vector<Chart> run_charts(const std::string& dir, const std::vector<ProbeOptions>& probes = {});

}  // namespace coracle
