// Volume of the liquid and the gentle correction of its drift.
#pragma once

#include "coracle/report.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {

// 1/ω of the shortest wave on the grid, ω² = g π / dx, in s.
inline double shortest_wave_time(double dx, double gravity) { return std::sqrt(dx / (std::numbers::pi * gravity)); }

inline double particle_volume(const Grid& grid) { return grid.cell_volume() / 8; }

// Share of the missing volume that the correction restores within a time, and the most, as a share of the volume.
inline constexpr double correction_share = 0.2;
inline constexpr double correction_limit = 0.01;

// Rate of expansion, 1/s, that brings the volume back to the expected volume. The time is a step of length dt, but at
// least that in which the shortest wave on the grid advances by a radian: what is measured of a surface that moves
// through the grid changes by a few hundredths of a cell from step to step, and to follow that would shake the liquid.
inline double expansion_rate(const LiquidReport& liquid, double dx, double gravity, double dt) {
  if (!(liquid.volume > 0)) return 0;
  const double missing = (liquid.expected_volume - liquid.volume) / liquid.volume;
  const double time = gravity > 0 ? std::max(dt, shortest_wave_time(dx, gravity)) : dt;
  return std::clamp(correction_share * missing, -correction_limit, correction_limit) / time;
}

}  // namespace coracle
