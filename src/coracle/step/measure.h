// What a step is asked to report.
#pragma once

#include "coracle/scene/scene.h"
#include "coracle/step/cutcell/workspace.h"
#include "coracle/step/report.h"
#include "coracle/world/world.h"

namespace coracle {

// Volume of the liquid: of φ < 0 outside solids, plus that of the spray, which φ does not see.
LiquidReport measure_volume(const World& world, const Workspace& work);

void measure(const Scene& scene, const World& world, const Workspace& work, const ProjectionInput& input,
             const ProjectionReport& projection, StepReport& report);

}  // namespace coracle
