// The liquid as pictures show it, on a grid twice as fine as the simulation's: its level set, smoothly between the
// cells' values; the particles of sheets and drops too thin for it, as spheres that melt into each other; cut off by
// the solids. A body is opaque, so the liquid reaches a little way into it and no gap shows between them.
#pragma once

#include "coracle/step/cutcell/workspace.h"
#include "coracle/world/world.h"

namespace coracle {

struct ShownLiquid {
  Grid grid;
  Array3<float> phi;  // m, < 0 in the liquid, at cell centres
};

ShownLiquid shown_liquid(const World& world, const Workspace& work);

// Twice as many samples along every axis, by Catmull and Rom's cubic, which passes through the old ones; beyond the
// outermost the field goes on as it is there.
Array3<float> twice_as_fine(const Array3<double>& coarse);

}  // namespace coracle
