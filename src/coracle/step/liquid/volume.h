// Volume of the liquid and the gentle correction of its drift.
#pragma once

#include "coracle/grid.h"
#include "coracle/report.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {

// 1/ω of the shortest wave on the grid, ω² = g π / dx, in s.
inline double shortest_wave_time(double dx, double gravity) { return std::sqrt(dx / (std::numbers::pi * gravity)); }

// Share of the missing volume that the correction restores within its time, and the most, as a share of the volume.
inline constexpr double correction_share = 0.2;
inline constexpr double correction_limit = 0.01;

// The time, in s. What is measured of a surface that moves through the grid changes by a few hundredths of a cell from
// step to step, and to follow that would shake the liquid. So the time is that in which the shortest wave on the grid
// advances by a radian, or the fastest liquid by a cell, or a frame; but no shorter than a step.
inline double correction_time(double dx, double gravity, double speed, double frame, double dt) {
  const double wave = gravity > 0 ? shortest_wave_time(dx, gravity) : frame;
  return std::max(dt, std::min({wave, speed > 0 ? dx / speed : frame, frame}));
}

// Rate of expansion, 1/s, that brings the volume back to the expected volume.
inline double expansion_rate(const LiquidReport& liquid, double time) {
  if (!(liquid.volume > 0)) return 0;
  const double missing = (liquid.expected_volume - liquid.volume) / liquid.volume;
  return std::clamp(correction_share * missing, -correction_limit, correction_limit) / time;
}

}  // namespace coracle
