// The page of scenes without a fluid: bodies and solids alone. step/page.h says what each function does.
#pragma once

#include "coracle/report.h"
#include "coracle/step/body/stable_step.h"
#include "coracle/step/body/step_work.h"
#include "coracle/step/frame_layers.h"

namespace coracle {

struct AssembledSystem;

struct DryWork {
  SurfaceTrees trees;  // of solids and bodies
  BodySystem elastic;  // where elasticity and contact are solved in turn
};

inline DryWork work_of(const NoFluid&) { return {}; }
void start(const Scene& scene, World& world, NoFluid& fluid, StepWork& step, DryWork& work);
void derive(const Scene& scene, World& world, NoFluid& fluid, StepWork& step, DryWork& work);
StableStep stable_step(const Scene& scene, const World& world, const NoFluid& fluid, const DryWork& work);
[[nodiscard]] StepReport step(const Scene& scene, World& world, NoFluid& fluid, StepWork& step, DryWork& work,
                              double dt);
void undo(NoFluid& fluid, DryWork& work);
FrameLayers layers(const Scene& scene, const World& world, const NoFluid& fluid, const DryWork& work);
inline NoFluidReport report_of(const NoFluid&) { return {}; }
const AssembledSystem* failed_system(const DryWork& work);

}  // namespace coracle
