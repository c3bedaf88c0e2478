// Measurements of liquid.
#pragma once

#include "coracle/report.h"
#include "coracle/step/grid/leapfrog.h"
#include "coracle/step/liquid/liquid_work.h"
#include "coracle/step/liquid/sums.h"

namespace coracle {

// Volume of the liquid. Cells well inside it count with the room that solids leave in them. Elsewhere φ does not
// resolve thin films and drops, so particles are counted. Particles that crowd together or drift apart inside the
// liquid show as lost or gained volume.
LiquidReport measure_volume(const World& world, const Liquid& liquid, const LiquidWork& work);

LiquidReport report_volume(const Grid& grid, const VolumeCounts& counts, std::size_t particles, double expected_volume);

// Energy, momentum, speed and volume at the end of a step; the rest of the report stays.
void measure_liquid(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work,
                    LiquidReport& report);
void report_liquid(const Scene& scene, const Grid& grid, const ParticleSums& sums, const LiquidReport& volume,
                   std::size_t particles, LiquidReport& report);

// By the kick of a step, which changes the velocities `before` to those of the liquid. Zero in an impact.
Acceleration acceleration_in(const Kick& kick, const Scene& scene, const Liquid& liquid, const Particles& before);
// The same from sums over particles of mass 1 of what changes in a time of 1.
Acceleration scaled(Acceleration sum, const Kick& kick, double density, const Grid& grid);
// Report energy and momentum of a time that is later by `lag`.
void add_acceleration(const Acceleration& a, double lag, LiquidReport& report);

}  // namespace coracle
