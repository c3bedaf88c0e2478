// A column of water on an elastic block that is pinned at its bottom and on rollers all around: one dimension.
#pragma once

#include "validation/case.h"
#include "validation/setup.h"

#include <cmath>
#include <string>

namespace coracle::validation {

// β tan β = ρs l / (ρf H), ω = β √(E/ρs) / l.
struct ColumnTheory {
  double omega, period, sag;  // 1/s, s, m
  double share;               // of the kinetic energy that is the liquid's
  explicit ColumnTheory(double density);
};

struct ColumnRun {
  std::string coupling = "strong";
  std::string integrator = "midpoint";
  int fps = 100;
  double dt = 0.005;   // s
  double damping = 0;  // s, of the stiffness
  double seconds = 2;
  double density = water;  // kg/m³, of the block
  int cells = 128;         // along the height; an eighth of them are the block's
  int across = 4;          // cells
  double shift = 0;        // of the grid against block and water, in cells
  std::string method = "cutcell";
};

struct Swing {
  bool completed = false;
  double frequency = 0;    // Hz
  double last = INFINITY;  // amplitude, of the first
  double decay = 0;        // 1/s
  double drift = 0;        // of the liquid's volume
  Curve curve{"Water on an elastic block: its top", "t, s", "m", {}, {}};
};

// The same column in a tube that stands on its own in a grid, turned by `degrees` against it; gravity turns with it.
struct TubeRun {
  std::string method = "cutcell";
  double degrees = 0;
  int cells = 48;  // a metre
};
struct TubeResult {
  bool completed = false;
  double frequency = 0;  // Hz
  double sag = 0;        // m, at rest
};
TubeResult tube(const TubeRun& run);

// Released from the unloaded state: how it swings about the static position.
Swing swing(const ColumnRun& run);

// m, how far the top has come down, mean from time `from` on: backward Euler, critically damped by its stiffness.
double static_sag(ColumnRun run, double from);

}  // namespace coracle::validation
