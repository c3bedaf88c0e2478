// What a step is asked to report.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/step/workspace.h"
#include "coracle/world.h"

namespace coracle {

// Volume of the liquid: the cells well inside it by what room solids leave in them, the rest, where φ cannot see thin
// films and drops, by particles. Particles that crowd together or drift apart inside the liquid show as lost or gained
// volume.
LiquidReport measure_volume(const World& world, const Workspace& work);

// What only the projection knows: forces on solids, what is left of the divergence.
void measure_loads(const World& world, const Workspace& work, const ProjectionInput& input,
                   const ProjectionReport& projection, StepReport& report);

// What only the bodies' solve knows: contacts and how deep they are.
void report_bodies(const World& world, const BodySolve& solve, StepReport& report);
// Of bodies without liquid.
SolveReport solver_report(const World& world, const BodySolve& solve);

// The state at the end of the step.
void measure(const Scene& scene, const World& world, Workspace& work, StepReport& report);

}  // namespace coracle
