// Remove cells and faces that are too small to carry a pressure; cells stay closed.
//
// A cell none of whose faces is open by more than the clamp is merged into the neighbour across its largest open face:
// its patches act on that neighbour's pressure and the face between them disappears. Every other face below the clamp
// is closed and becomes a pair of patches, one on each side, that move with the solid. Both keep closure,
// because areas are only moved. Cells left with patches but no open face hold no liquid that could move; their patches
// are dropped, because they would lock the solid.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

// Open fractions below this carry too little flow to need a pressure. Far larger than round-off (1e-13), far below what
// is visible; iteration counts do not depend on it between 1e-2 and 1e-6.
inline constexpr double smallest_open_face = 1e-4;

// cells: those that surfaces pass through, increasing; the others are whole. `changes` gets what it changes in open
// fractions and volumes.
void remove_slivers(const Grid& grid, const Surfaces& surfaces, const std::vector<int>& cells, Boundary& cut,
                    std::vector<BoundaryWork::Change>& changes);

}  // namespace coracle
