// A column of water on an elastic block, pinned at its bottom and on rollers on all sides: a one-dimensional problem.
#pragma once

#include "validation/case.h"
#include "validation/setup.h"

#include <cmath>
#include <string>

namespace coracle::validation {

// β tan β = ρs l / (ρf H), ω = β √(E/ρs) / l.
struct ColumnTheory {
  double omega, period, sag;  // 1/s, s, m
  double share;               // the liquid's share of the kinetic energy
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
  double shift = 0;        // of the grid relative to block and water, in cells
  std::string method = "cutcell";
};

struct Swing {
  bool completed = false;
  double frequency = 0;    // Hz
  double last = INFINITY;  // last amplitude over the first
  double decay = 0;        // 1/s
  double drift = 0;        // of the liquid's volume
  Curve curve{"Water on an elastic block: its top", "t, s", "m", {}, {}};
};

// The same column in a tube that is rotated by `degrees` relative to the grid; gravity is rotated with it.
struct TubeRun {
  std::string method = "cutcell";
  double degrees = 0;
  int cells = 48;  // per metre
};
struct TubeResult {
  bool completed = false;
  double frequency = 0;  // Hz
  double sag = 0;        // m, at rest
};
TubeResult tube(const TubeRun& run);

// Oscillation about the static position, after release from the unloaded state.
Swing swing(const ColumnRun& run);

// m, mean sag of the top from time `from` on: backward Euler, critical stiffness damping.
double static_sag(ColumnRun run, double from);

}  // namespace coracle::validation
