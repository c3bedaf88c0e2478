// Solids on a grid by whole faces [Chentanez06 sec. 3.4].
//
// H, velocity to flux: where the line between two cell centres crosses a triangle, the face between the cells is closed
// and carries the solid's velocity at that point. The whole face becomes a patch of each fluid cell beside it, with
// the crossing that is nearer to that cell.
//
// J, pressure to force: every triangle has sample points, at most half a cell apart. The pressure at a point is
// trilinear between the cells around it. Differs from the paper: it does not say what replaces cells that hold no fluid
// or lie on the other side of a thin sheet. Here a cell counts only if it lies in front of the triangle, its centre is
// outside solids and it is not behind another solid; the weights are scaled to add up to 1. So a constant pressure is
// reproduced exactly and exerts no net force, to round-off, on a closed surface whose points all have such cells.
// Points without such cells carry no force.
//
// Flux passes through whole faces, but pressure acts on the true surface: what the fluid loses and what the body gains
// differ by about the size of a cell. Volumes of cells are exact, so that measurements of the fluid do not depend on
// the method.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

void voxel_boundary(const Grid& grid, const Surfaces& surfaces, std::span<const CellBox> changed, SolidField& field);

}  // namespace coracle
