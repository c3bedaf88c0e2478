// Inflows: solids whose surface emits fluid at a given velocity.
#pragma once

#include "coracle/step/grid/solid_field.h"

#include <cstdint>

namespace coracle {

bool has_inflows(const Surfaces& surfaces);

// Whether x lies inside the solid whose geometry this is.
bool inside(const SolidGeometry& geometry, const Vec3& x);

// Whether x lies inside an inflow that is present.
bool inside_inflow(const Surfaces& surfaces, const SolidField& field, const Vec3& x);

// u = V inside inflows, and valid there.
void set_inflow_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field, FaceField<double>& u,
                         FaceField<std::uint8_t>& valid);

}  // namespace coracle
