// Measurements of liquid at a place: what liquid/measure.h says, of the same sums (liquid/sums.h).
#pragma once

#include "coracle/step/liquid/device/state.h"
#include "coracle/step/liquid/sums.h"

#include <cmath>

namespace coracle {

// m/s
template <class Place>
double max_speed(Place& place, const PlacedParticles<Place>& particles) {
  const Vec3f* const v = particles.v.data();
  return std::sqrt(
      place.largest(particles.count, [=] CORACLE_KERNEL(std::size_t p) { return double(v[p].squaredNorm()); }));
}
// Without spray.
template <class Place>
double max_speed(Place& place, const PlacedParticles<Place>& particles,
                 const typename Place::template Array<std::uint8_t>& spray) {
  const Vec3f* const v = particles.v.data();
  const std::uint8_t* const is_spray = spray.data();
  return std::sqrt(place.largest(
      particles.count, [=] CORACLE_KERNEL(std::size_t p) { return is_spray[p] ? 0.0 : double(v[p].squaredNorm()); }));
}

template <class Place>
ParticleSums particle_sums(Place& place, const PlacedParticles<Place>& particles) {
  const Vec3* const x = particles.x.data();
  const Vec3f* const v = particles.v.data();
  return place.sum(particles.count, ParticleSums(), [=] CORACLE_KERNEL(std::size_t p) { return sums_of(x[p], v[p]); });
}

// For scaled(), which makes it that of the liquid.
template <class Place>
Acceleration acceleration_sums(Place& place, const PlacedParticles<Place>& before,
                               const PlacedParticles<Place>& particles) {
  const Vec3f *const last = before.v.data(), *const now = particles.v.data();
  return place.sum(particles.count, Acceleration(),
                   [=] CORACLE_KERNEL(std::size_t p) { return acceleration_of(last[p], now[p]); });
}

struct AllCount {
  CORACLE_BOTH bool operator()(std::size_t) const { return true; }
};
// For report_volume(). open: the room that solids leave in cells. counts(p): whether particle p counts that is not well
// inside the liquid; a struct that kernels can call, since lambdas for kernels cannot be called by functions for both.
template <class Place, class Counts = AllCount>
VolumeCounts volume_counts(Place& place, const Grid& grid, const PlacedArray3<Place, double>& liquid_phi,
                           const PlacedArray3<Place, double>& open,
                           const typename Place::template Array<std::uint32_t>& cell_start,
                           const typename Place::template Array<std::uint8_t>& spray, Counts counts = {}) {
  const double *const phi = liquid_phi.data.data(), *const room = open.data.data();
  const std::uint32_t* const start = cell_start.data();
  const std::uint8_t* const is_spray = spray.data();
  const double dx = grid.dx;
  return place.sum(liquid_phi.size(), VolumeCounts(),
                   [=] CORACLE_KERNEL(std::size_t i) { return count_cell(i, dx, phi, room, start, is_spray, counts); });
}

}  // namespace coracle
