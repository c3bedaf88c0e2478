// Markers of liquid stay in the domain and out of solids.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/grid/solids_view.h"
#include "coracle/world.h"

#include <limits>
#include <span>
#include <vector>

namespace coracle {

// The nearest point in the domain that does not lie on its sides.
CORACLE_BOTH inline Vec3 kept_inside(const Grid& grid, const Vec3& x) {
  constexpr double wall_gap = 1e-6;  // cells: a particle never lies exactly on the domain's side
  const double gap = wall_gap * grid.dx;
  return x.cwiseMax(Vec3(grid.origin.array() + gap)).cwiseMin(Vec3(grid.upper().array() - gap));
}

// Move x out of one solid; returns whether x was inside. `from`: where it was a time dt ago.
CORACLE_BOTH inline bool leave(const Grid& grid, const SolidView& solid, const Vec3& from, double dt, Vec3& x) {
  constexpr double deep = 0.25;  // cells: deeper inside a solid than the error of paths
  constexpr int steps_back = 3;
  constexpr double surface_gap = 1e-2;  // cells: how far outside a solid a particle is put back
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (solid.inflow || !solid.present) return false;
  const double phi = sample_cells(solid.phi, grid.to_cells(x));
  if (phi > grid.dx) return false;  // the interpolant errs by less than a cell
  const double out = solid.container ? -1 : 1, reach = phi > -grid.dx ? 3 * grid.dx : infinity;
  const double gap = surface_gap * grid.dx;
  ClosestPoint near = solid.tree.closest(x, reach);
  if (near.tri < 0 || out * near.distance >= 0) return false;
  // Deep inside, the nearest side of a thin wall may be the far one: go back to the side that the particle came from.
  if (out * near.distance < -deep * grid.dx) {
    const Vec3 wall = dt * solid.velocity(near.tri, near.bary), path = x - from - wall;
    for (int steps = 1; steps <= steps_back; ++steps) {  // more than one where the sides approach each other
      const ClosestPoint before = solid.tree.closest(x - steps * path, infinity);
      if (out * before.distance <= 0) continue;
      const Vec3 there = before.point + out * gap * before.normal;
      if (kept_inside(grid, there) != there) break;  // that point lies outside the domain
      near = before;
      break;
    }
  }
  x = kept_inside(grid, near.point + out * gap * near.normal);
  return true;
}

// Move x out of all solids; returns whether it was inside one.
CORACLE_BOTH inline bool push_out(const Grid& grid, const SolidsView& solids, const Vec3& from, double dt, Vec3& x) {
  if (sample_cells(solids.phi, grid.to_cells(x)) > grid.dx) return false;
  bool inside = false, again = true;
  for (int pass = 0; pass < 2 && again; ++pass) {  // the way out of one solid may lead into another
    again = false;
    for (int s = 0; s < solids.count; ++s) again = leave(grid, solids.each[s], from, dt, x) || again;
    inside = inside || again;
  }
  return inside;
}

// Put places that are inside a solid back onto its surface, on the side where they were at x_before, a time dt ago.
// Returns how many.
std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, std::vector<Vec3>& places);

// Remove the particles for which `gone` says so; returns how many.
std::size_t remove_particles(Particles& particles, const std::vector<std::uint8_t>& gone);
// Remove a few, given in increasing order: the last ones take their places.
void remove_particles(Particles& particles, std::span<const std::uint32_t> gone);

}  // namespace coracle
