// What liquid on skins sees of the rest of the world.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/grid/solid_field.h"

namespace coracle {

struct Surroundings {
  const Grid& grid;
  const Array3<double>& liquid_phi;  // m, < 0 in the bulk; of the start of the step
  const Surfaces& surfaces;          // solids and bodies now
  const SolidField& solids;
  double particle_volume = 0;  // m³, of the bulk

  // Whether a point lies deeper in a solid than the field on the grid errs.
  bool in_solid(const Vec3& x) const { return sample_cells(solids.phi, grid.to_cells(x)) < -0.1 * grid.dx; }
  // m: how far from the bulk's surface; < 0 in it.
  double above(const Vec3& x) const { return sample_cells(liquid_phi, grid.to_cells(x)); }
};

// Liquid passes between the bulk and the skin only where it is clear which of both it belongs to: half a cell outside
// or inside the bulk. What lies between stays where it is, else it would go to and fro.
inline constexpr double clear_of_bulk = 0.5;  // cells

}  // namespace coracle
