// Liquid too thin for the grid to resolve: particles further than half a cell outside the surface. No pressure acts on
// them; they fly freely until they meet more liquid, or slide along what they hit.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/particles.h"

namespace coracle {

inline constexpr double spray_distance = 0.5;  // cells

inline bool is_spray(const Grid& grid, const Array3<double>& liquid_phi, const Vec3& x) {
  return sample_cells(liquid_phi, grid.to_cells(x)) > spray_distance * grid.dx;
}

// Mark the spray, given the present surface. Particles inside an inflow are no spray.
void mark_spray(const Grid& grid, const Array3<double>& liquid_phi, const Surfaces& surfaces, const SolidField& field,
                const Particles& particles, std::vector<std::uint8_t>& spray);

// v ← v + gravity_dv for the spray at x; it does not enter solids or walls.
void accelerate_spray(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                      const std::vector<std::uint8_t>& spray, const Vec3& gravity_dv, const std::vector<Vec3>& x,
                      Particles& particles);

}  // namespace coracle
