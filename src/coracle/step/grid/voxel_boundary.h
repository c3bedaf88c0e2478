// Solids on a grid by whole faces, as [Chentanez06 sec. 3.4] has it.
//
// H, velocity to flux: where the line between two cell centres crosses a triangle, the face between the cells is closed
// and carries the solid's velocity at that point. It becomes a patch of the whole face, one to the cell on either side
// that is fluid, each with the crossing that is nearer to it.
//
// J, pressure to force: every triangle has sample points, at most half a cell apart. The pressure at a point is
// trilinear between the cells around it. Differs from the paper, which does not say what stands in for cells that hold
// no fluid, or for those on the other side of a thin sheet: here only cells in front of the triangle whose centres are
// outside solids count, and none behind another solid, their shares made to add up to 1. So a constant pressure is felt
// as it is, and a closed surface all of whose points see fluid feels no net force to round-off. Points that see none
// feel nothing.
//
// Flux passes whole faces, pressure acts on the true surface: what the fluid gives and what the body gets differ by the
// size of a cell. Volumes of cells are the exact ones, since what is measured of the fluid must not depend on the
// method.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

Boundary voxel_boundary(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

}  // namespace coracle
