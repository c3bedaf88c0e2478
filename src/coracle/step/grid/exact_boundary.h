// The boundary by exact cut cells: overlaps resolved, slivers removed.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

Boundary exact_boundary(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

}  // namespace coracle
