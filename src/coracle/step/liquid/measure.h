// Measurements of liquid.
#pragma once

#include "coracle/report.h"
#include "coracle/step/grid/leapfrog.h"
#include "coracle/step/liquid/liquid_work.h"

namespace coracle {

// Volume of the liquid. Cells well inside it count with the room that solids leave in them. Elsewhere φ does not
// resolve thin films and drops, so particles are counted. Particles that crowd together or drift apart inside the
// liquid show as lost or gained volume.
LiquidReport measure_volume(const World& world, const Liquid& liquid, const LiquidWork& work);

// Energy, momentum, speed and volume at the end of a step; the rest of the report stays.
void measure_liquid(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work,
                    LiquidReport& report);

// The particles' velocities v belong to `time` − lag, the report to `time`: momentum Σ m (v + lag a), energy
// Σ ½ m |v + lag a|², with a the acceleration in the last kick.
struct Acceleration {
  Vec3 force = Vec3::Zero();  // N: Σ m a
  double power = 0;           // W: Σ m v·a
  double square = 0;          // W/s: Σ m |a|²
};
// By the kick of a step, which changes the velocities `before` to those of the liquid. Zero in an impact.
Acceleration acceleration_in(const Kick& kick, const Scene& scene, const Liquid& liquid, const Particles& before);
// Report energy and momentum of a time that is later by `lag`.
void add_acceleration(const Acceleration& a, double lag, LiquidReport& report);

}  // namespace coracle
