// Liquid too thin to be seen by the grid: particles further than half a cell outside the surface. No pressure acts on
// them; they fly on their own until they come back to more liquid, or slide along what they hit.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/particles.h"

namespace coracle {

inline constexpr double spray_distance = 0.5;  // cells

inline bool is_spray(const Grid& grid, const Array3<double>& liquid_phi, const Vec3& x) {
  return sample_cells(liquid_phi, grid.to_cells(x)) > spray_distance * grid.dx;
}

// Mark the spray, by the surface as it is now. What is inside an inflow is none.
void mark_spray(const Grid& grid, const Array3<double>& liquid_phi, const Surfaces& surfaces, const SolidField& field,
                const Particles& particles, std::vector<std::uint8_t>& spray);

// v ← v + what gravity adds, for the spray; it does not enter solids or walls.
void throw_spray(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                 const std::vector<std::uint8_t>& spray, const Vec3& fall, Particles& particles);

}  // namespace coracle
