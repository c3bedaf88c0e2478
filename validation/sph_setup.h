// Building blocks of the cases of liquid of smoothed particles, method proxy.
#pragma once

#include "coracle/step/workspace.h"
#include "validation/setup.h"

#include <string_view>

namespace coracle::validation {

inline constexpr const char* splittings[] = {"delta",       "joint",    "two_phase",
                                             "three_phase", "baseline", "baseline_three"};
// Those whose contact at the end of a step is that of its places; the others are reported beside them.
inline bool is_exact(std::string_view splitting) { return splitting == "delta" || splitting == "joint"; }

inline const SphWork& sph_work(const Workspace& work) { return std::get<SphWork>(work.fluid); }

// Sums over all particles of a liquid of one kind.
struct Cloud {
  double mass = 0;               // kg
  Vec3 center = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s, mean
  double rms_speed = 0;          // m/s
};
Cloud cloud(const SphLiquid& liquid, double density = water);

// A scene of particles that goes on by steps of a given length, however long.
class SteppedRun {
 public:
  SteppedRun(const std::string& toml, const std::string& name);
  StepReport step(double dt);

  const std::string name;
  const Scene scene;
  World world;
  Workspace work;
};
void run_by_steps(const std::string& toml, const std::string& name, double dt, double seconds, const OnStep& on_step);

}  // namespace coracle::validation
