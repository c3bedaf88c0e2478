// One step. The page for liquid is liquid_step.cpp, for gas gas_step.cpp.
//
// The cycle is that of [ZarifiBatty17 alg. 1]. Differs from the paper: it begins with the solve and ends with the
// motion, so that one dt serves both, and what a moving wall sweeps in a step is what its velocity says.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/step/workspace.h"
#include "coracle/world/surface.h"

namespace coracle {

// Advance the world by dt. Not ok: a stage went wrong, and the world is of no use but for its particles,
// which are as they were.
[[nodiscard]] StepReport substep(const Scene& scene, World& world, Workspace& work, double dt);

// What a step begins with follows from the state: sorted particles, surface, spray. The solid field must be up to date.
void update_geometry(const Scene& scene, World& world, Workspace& work);

bool has_liquid(const World& world);
// The surfaces that cut the grid: bodies do only where there is a fluid.
Surfaces cutting_surfaces(const World& world);

}  // namespace coracle
