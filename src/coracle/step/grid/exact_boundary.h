// The boundary by exact cut cells: overlaps resolved, slivers removed.
//
// Open fractions and volumes are recombined in the boxes that have changed. What the last call changed after that,
// around solids that overlap and in slivers, is taken back first: so the result is that of a boundary made anew, to the
// bit.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

void exact_boundary(const Grid& grid, const Surfaces& surfaces, std::span<const CellBox> changed, SolidField& field);

}  // namespace coracle
