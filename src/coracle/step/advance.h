// 3 HAPPENS: the only time loop of the program.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/step/workspace.h"
#include "coracle/world.h"

#include <functional>

namespace coracle {

// The one place that tells the methods apart: how solids bound the fluid.
MakeBoundary boundary_of(Method method);

// Fill the workspace with what follows from the state (distances, cut cells, surface); at step 0 also give the grid the
// particles' velocity. To be called once before the first advance_frame, also after a checkpoint was read.
void prepare(const Scene& scene, World& world, Workspace& work);

// Advance to the end of the next frame. Chooses dt, repeats a failed step with half of it, and calls `on_step` after
// every step that holds. Throws RunError when even min_dt fails; the world is then as before the failing step.
void advance_frame(const Scene& scene, World& world, Workspace& work,
                   const std::function<void(const StepReport&)>& on_step);

// Column names of StepReport::probes.
std::vector<std::string> probe_columns(const Scene& scene);

}  // namespace coracle
