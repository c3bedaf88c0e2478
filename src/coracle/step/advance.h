// 3 HAPPENS: the only time loop of the program.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/step/frame_layers.h"
#include "coracle/step/workspace.h"
#include "coracle/world.h"

#include <functional>

namespace coracle {

struct AssembledSystem;

// Time zero: fill the fluid of a world that build_world made, and the workspace.
void start(const Scene& scene, World& world, Workspace& work);
// Fill the workspace with what follows from the state (distances, cut cells, surface), after reading a checkpoint.
void derive(const Scene& scene, World& world, Workspace& work);

// One step towards the end of the next frame. Chooses dt and repeats a failed step with half the dt. Throws RunError
// when even time.min_dt fails; the world is then as before the failing step.
StepReport advance_step(const Scene& scene, World& world, Workspace& work);
// Steps to the end of the next frame; calls `on_step` after each.
void advance_frame(const Scene& scene, World& world, Workspace& work,
                   const std::function<void(const StepReport&)>& on_step);

// Fills in what the world and the workspace left on a GPU; whoever reads a fluid between steps needs it.
void bring_home(World& world, Workspace& work);
// What a frame shows of the fluid, which is home.
FrameLayers frame_layers(const Scene& scene, const World& world, const Workspace& work);
// An empty report of the scene's kind of fluid.
FluidReport blank_fluid_report(const Scene& scene);
// The system of the last solve that did not converge, if solver.dump is set; else null.
const AssembledSystem* failed_system(const Workspace& work);

}  // namespace coracle
