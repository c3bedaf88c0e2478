// Whole steps, timed by stage.
#pragma once

#include "bench/measure.h"
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

namespace coracle::bench {

// Means over some steps.
struct Timing {
  double step_s = 0, particles = 0, unknowns = 0, iterations = 0, peak_mb = 0;
  Parts stages;
  Parts projection;  // s: what the bodies take in it before the solve for pressures, the solve's set-up, the solve
};

inline constexpr int timed_steps = 8;

// Advances `world` to time `from`; then takes means over the next `steps` steps.
Timing time_steps(const Scene& scene, World& world, Workspace& work, double from, int steps = timed_steps);

// A scene that ships, at another resolution.
Scene scene_at(const std::string& name, int resolution);

}  // namespace coracle::bench
