// Bodies that float in a square tank of 0.8 m, until mass damping has calmed their heave.
#pragma once

#include "validation/figures.h"

#include <string>

namespace coracle::validation {

// What liquid the tank holds.
struct FloatingIn {
  const char* method = "cutcell";
  int resolution = 32;
  const char* more = "";  // TOML
};

// Mean draft since the settling, over the radius or height: with the level by balance of the liquid's volume, and by
// gauges in the corners of the tank.
struct Draft {
  Mean balance, probes;
};

// A ball of 0.2 m, let go 0.03 m above its draft: d² (3R − d) = 4 s R³.
struct FloatingBall {
  double share, ratio;  // ρs/ρf, d/R
  const char* options;  // of the body, TOML
};
Draft float_ball(const FloatingBall& ball, const FloatingIn& in, Curve& curve);

// A prism, wide and low, let go at a tilt of 8 degrees: it rights itself. Draft/height = ρs/ρf.
inline constexpr double prism_height = 0.2, prism_share = 0.6, tank_side = 0.8;  // m, 1, m
struct FloatingPrism {
  Draft draft;
  double tilt = 0;  // degrees, largest once settled
  Curve curve{"Prism let go tilted", "t, s", "degrees", {}, {}};
};
FloatingPrism float_prism(const FloatingIn& in);

}  // namespace coracle::validation
