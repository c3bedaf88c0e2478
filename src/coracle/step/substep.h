// One step of the cut-cell method, on one page [ZarifiBatty17 alg. 1].
#pragma once

#include "coracle/scene/scene.h"
#include "coracle/step/cutcell/workspace.h"
#include "coracle/step/report.h"
#include "coracle/world/world.h"

namespace coracle {

// Advance the world by dt. Not ok: a stage went wrong, and the world is of no use.
[[nodiscard]] StepReport substep(const Scene& scene, World& world, Workspace& work, double dt);

// What the step begins with follows from the state: distances, cut cells, surface.
void update_geometry(World& world, Workspace& work);

}  // namespace coracle
