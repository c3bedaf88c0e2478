// Liquid too thin for the grid to resolve: particles further than half a cell outside the surface. No pressure acts on
// them; they fly freely until they meet more liquid, or slide along what they hit.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/particles.h"

#include <algorithm>

namespace coracle {

inline constexpr double spray_distance = 0.5;  // cells

template <class Field>
CORACLE_BOTH bool is_spray(const Grid& grid, const Field& liquid_phi, const Vec3& x) {
  return sample_cells(liquid_phi, grid.to_cells(x)) > spray_distance * grid.dx;
}

// The velocity of spray at x after v ← v + gravity_dv; it does not enter solids or walls.
CORACLE_BOTH inline Vec3 accelerated_spray(const Grid& grid, const SolidsView& solids, const Vec3& gravity_dv,
                                           const Vec3& x, Vec3 v) {
  constexpr double touch = 0.05;  // cells: nearer than this a solid stops the approach
  const Vec3 q = grid.to_cells(x);
  v += gravity_dv;
  for (int a = 0; a < 3; ++a) {
    if (q[a] < touch) v[a] = std::max(v[a], 0.0);
    if (q[a] > grid.n[a] - touch) v[a] = std::min(v[a], 0.0);
  }
  if (solids.count == 0 || sample_cells(solids.phi, q) >= grid.dx) return v;
  for (int s = 0; s < solids.count; ++s) {
    const SolidView& solid = solids.each[s];
    if (solid.inflow || !solid.present || sample_cells(solid.phi, q) > grid.dx) continue;
    const double out = solid.container ? -1 : 1;
    const ClosestPoint near = solid.tree.closest(x, grid.dx);
    if (near.tri < 0 || out * near.distance > touch * grid.dx) continue;
    const Vec3 n = out * near.normal;
    v -= std::min((v - solid.velocity(near.tri, near.bary)).dot(n), 0.0) * n;
  }
  return v;
}

// Mark the spray, given the present surface. Particles inside an inflow are no spray.
void mark_spray(const Grid& grid, const Array3<double>& liquid_phi, const Surfaces& surfaces, const SolidField& field,
                const Particles& particles, std::vector<std::uint8_t>& spray);

// v ← v + gravity_dv for the spray at x; it does not enter solids or walls.
void accelerate_spray(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                      const std::vector<std::uint8_t>& spray, const Vec3& gravity_dv, const std::vector<Vec3>& x,
                      Particles& particles);

}  // namespace coracle
