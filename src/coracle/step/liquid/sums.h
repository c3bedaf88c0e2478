// What is summed over the liquid's particles and cells.
#pragma once

#include "coracle/both.h"
#include "coracle/types.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace coracle {

// Of particles, each of mass 1.
struct ParticleSums {
  double kinetic = 0, fastest = 0;
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
};
CORACLE_BOTH inline ParticleSums operator+(ParticleSums a, const ParticleSums& b) {
  a.kinetic += b.kinetic;
  a.momentum += b.momentum;
  a.moment += b.moment;
  a.fastest = std::max(a.fastest, b.fastest);
  return a;
}
CORACLE_BOTH inline ParticleSums sums_of(const Vec3& x, const Vec3f& velocity) {
  const Vec3 v = velocity.cast<double>();
  const double square = v.squaredNorm();
  ParticleSums s;
  s.kinetic = 0.5 * square, s.fastest = std::sqrt(square);
  s.momentum = v, s.moment = x;
  return s;
}

// The particles' velocities v belong to `time` − lag, the report to `time`: momentum Σ m (v + lag a), energy
// Σ ½ m |v + lag a|², with a the acceleration in the last kick.
struct Acceleration {
  Vec3 force = Vec3::Zero();  // N: Σ m a
  double power = 0;           // W: Σ m v·a
  double square = 0;          // W/s: Σ m |a|²
};
CORACLE_BOTH inline Acceleration operator+(Acceleration a, const Acceleration& b) {
  a.force += b.force;
  a.power += b.power;
  a.square += b.square;
  return a;
}
// Of a particle of mass 1, in a time of 1.
CORACLE_BOTH inline Acceleration acceleration_of(const Vec3f& last, const Vec3f& now) {
  const Vec3 v = now.cast<double>(), change = v - last.cast<double>();
  Acceleration a;
  a.force = change, a.power = v.dot(change), a.square = change.squaredNorm();
  return a;
}

struct VolumeCounts {
  double full = 0;   // cells of open room well inside the liquid
  double loose = 0;  // particles elsewhere
  double spray = 0;
};
CORACLE_BOTH inline VolumeCounts operator+(VolumeCounts a, const VolumeCounts& b) {
  a.full += b.full;
  a.loose += b.loose;
  a.spray += b.spray;
  return a;
}
// Of cell i. open: the room that solids leave; counts(p): whether a loose particle counts.
template <class Counts>
CORACLE_BOTH inline VolumeCounts count_cell(std::size_t i, double dx, const double* phi, const double* open,
                                            const std::uint32_t* cell_start, const std::uint8_t* spray,
                                            const Counts& counts) {
  VolumeCounts sums;
  if (phi[i] < -0.5 * dx) {
    sums.full = open[i];
    return sums;
  }
  for (std::size_t p = cell_start[i]; p < cell_start[i + 1]; ++p) {
    if (!counts(p)) continue;
    sums.loose += 1;
    sums.spray += spray[p];
  }
  return sums;
}

}  // namespace coracle
