// Volume of the liquid and the gentle correction of its drift.
#pragma once

#include "coracle/report.h"

#include <algorithm>

namespace coracle {

inline double particle_volume(const Grid& grid) { return grid.cell_volume() / 8; }

// Share of the missing volume that one step restores, and the most that it restores, as a share of the volume.
inline constexpr double correction_share = 0.2;
inline constexpr double correction_limit = 0.01;

// Rate of expansion, 1/s, that brings the volume back to the expected volume.
inline double expansion_rate(const LiquidReport& liquid, double dt) {
  if (!(liquid.volume > 0)) return 0;
  const double missing = (liquid.expected_volume - liquid.volume) / liquid.volume;
  return std::clamp(correction_share * missing, -correction_limit, correction_limit) / dt;
}

}  // namespace coracle
