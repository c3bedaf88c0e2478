// How particles move at a place, as particles.h, spray.h, push_out.h and flows.h on the processor.
#pragma once

#include "coracle/step/liquid/device/state.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/paths.h"
#include "coracle/step/liquid/spray.h"

#include <cstdint>

namespace coracle {

template <class Place>
FlowViews flow_around(const PlacedLiquid<Place>& liquid) {
  return {liquid.drift.view(), liquid.fluid_phi.view(), liquid.solids.phi.view(), liquid.share.view()};
}

// Unlike on the processor a particle looks for its own cell, and whether it is crowded there shows at itself.
template <class Place>
void advect_particles(Place& place, const Grid& grid, const FlowViews& flow, const std::uint8_t* spray, double dt,
                      const LiquidOptions& options, const PlacedParticles<Place>& before,
                      PlacedParticles<Place>& particles) {
  particles.x.resize(before.count);
  const Paths<FlowViews> paths(grid, flow, dt, options.runge_kutta);
  const Vec3* const from = before.x.data();
  const Vec3f* const v = particles.v.data();
  Vec3* const to = particles.x.data();
  place.for_each(before.count, [=] CORACLE_KERNEL(std::size_t p) {
    const Vec3 x = from[p];
    if (spray[p]) {
      to[p] = paths.flown(v[p].template cast<double>(), x);
      return;
    }
    const LinearVelocity nearby(paths.grid, paths.grid.cell_of(x), paths.flow.u);
    to[p] = paths.carried(nearby, true, x);
  });
}

// Put particles that are inside a solid back onto its surface.
template <class Place>
void push_out(Place& place, const Grid& grid, const PlacedSolids<Place>& solids, const PlacedParticles<Place>& before,
              double dt, PlacedParticles<Place>& particles) {
  if (solids.each.empty()) return;
  const SolidsView view = solids.view();
  const Vec3* const from = before.x.data();
  Vec3* const x = particles.x.data();
  place.for_each(before.count, [=] CORACLE_KERNEL(std::size_t p) {
    Vec3 at = x[p];
    if (push_out(grid, view, from[p], dt, at)) x[p] = at;
  });
}

// v ← v + gravity_dv for the spray, which was at `before`.
template <class Place>
void accelerate_spray(Place& place, const Grid& grid, const PlacedSolids<Place>& solids, const std::uint8_t* spray,
                      const Vec3& gravity_dv, const PlacedParticles<Place>& before, PlacedParticles<Place>& particles) {
  const SolidsView view = solids.view();
  const Vec3* const x = before.x.data();
  Vec3f* const v = particles.v.data();
  Mat3f* const c = particles.c.empty() ? nullptr : particles.c.data();
  place.for_each(before.count, [=] CORACLE_KERNEL(std::size_t p) {
    if (!spray[p]) return;
    v[p] = accelerated_spray(grid, view, gravity_dv, x[p], v[p].template cast<double>()).template cast<float>();
    if (c) c[p] = Mat3f::Zero();
  });
}

template <class Place>
void mark_spray(Place& place, const Grid& grid, const View3<const double>& liquid_phi,
                const PlacedSolids<Place>& solids, const PlacedParticles<Place>& particles,
                typename Place::template Array<std::uint8_t>& spray) {
  spray.resize(particles.count);
  const SolidsView view = solids.view();
  const Vec3* const x = particles.x.data();
  std::uint8_t* const marks = spray.data();
  place.for_each(particles.count, [=] CORACLE_KERNEL(std::size_t p) {
    marks[p] = is_spray(grid, liquid_phi, x[p]) && !inside_inflow(view, x[p]);
  });
}

// Number of particles outside all inflows.
template <class Place>
std::size_t count_outside_inflows(Place& place, const Surfaces& surfaces, const PlacedSolids<Place>& solids,
                                  const PlacedParticles<Place>& particles) {
  if (!has_inflows(surfaces)) return particles.count;
  const SolidsView view = solids.view();
  const Vec3* const x = particles.x.data();
  return std::size_t(place.sum(particles.count, std::uint64_t(0), [=] CORACLE_KERNEL(std::size_t p) {
    return std::uint64_t(!inside_inflow(view, x[p]));
  }));
}

// Marks what lies inside one solid: the liquid that an opening inflow replaces.
template <class Place>
void mark_inside(Place& place, const SolidView& solid, const PlacedParticles<Place>& particles,
                 typename Place::template Array<std::uint8_t>& marks) {
  marks.resize(particles.count);
  const Vec3* const x = particles.x.data();
  std::uint8_t* const to = marks.data();
  place.for_each(particles.count, [=] CORACLE_KERNEL(std::size_t p) { to[p] = solid.encloses(x[p]); });
}

}  // namespace coracle
