// Inflows: solids whose surface emits fluid at a given velocity.
#pragma once

#include "coracle/step/grid/solids_view.h"

#include <cstdint>

namespace coracle {

bool has_inflows(const Surfaces& surfaces);

// Whether x lies inside the solid whose geometry this is.
bool inside(const SolidGeometry& geometry, const Vec3& x);

// Whether x lies inside an inflow that is present.
bool inside_inflow(const Surfaces& surfaces, const SolidField& field, const Vec3& x);

CORACLE_BOTH inline bool inside_inflow(const SolidsView& solids, const Vec3& x) {
  for (int s = 0; s < solids.count; ++s)
    if (solids.each[s].inflow && solids.each[s].present && solids.each[s].encloses(x)) return true;
  return false;
}

// Whether a face lies inside the inflow with this distance field.
template <class Field>
CORACLE_BOTH bool inside_inflow(const Field& phi, int axis, const Vec3i& face) {
  const CellsBeside cells = cells_beside(axis, face, phi.n);
  return phi[cells.lo] + phi[cells.hi] < 0;
}

// u = V inside inflows, and valid there.
void set_inflow_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field, FaceField<double>& u,
                         FaceField<std::uint8_t>& valid);

}  // namespace coracle
