// Set-ups of liquid without bodies that several methods run.
#pragma once

#include "validation/case.h"

namespace coracle::validation {

struct LiquidRun {
  const char* method = "cutcell";
  int resolution;
  const char* more = "";  // TOML
};

// A column of 0.2 m × 0.4 m collapses. In T = t √(2g/a), Z = z/a: the place that has 99 % of the liquid behind it, and
// the foremost particle.
struct DamBreak {
  Curve front{"Dam-break front", "T", "Z", {}, {}}, tip{"Dam-break tip", "T", "Z", {}, {}};
};
DamBreak break_dam(const LiquidRun& run);
extern const Points martin_moyce;  // T, Z

// Liquid of 1 m × 0.5 m, let go with a surface that slopes.
struct Slosh {
  double period = 0, expected = 0;  // s; ω² = g k tanh k h
  double half_periods = 0;
  Curve curve{"Sloshing", "t, s", "centre of mass, m", {}, {}};
};
Slosh slosh(const LiquidRun& run, double slope = 0.04);

// The largest drift of the volume of a dam break over five seconds, over its volume.
double volume_drift(const LiquidRun& run, Curve& curve);

}  // namespace coracle::validation
