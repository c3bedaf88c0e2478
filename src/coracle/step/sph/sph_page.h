// The page of liquid of smoothed particles, method proxy. step/page.h says what each function does.
#pragma once

#include "coracle/report.h"
#include "coracle/step/body/stable_step.h"
#include "coracle/step/body/step_work.h"
#include "coracle/step/frame_layers.h"
#include "coracle/step/sph/sph_work.h"

namespace coracle {

struct AssembledSystem;

inline SphWork work_of(const SphLiquid&) { return {}; }
void start(const Scene& scene, World& world, SphLiquid& fluid, StepWork& step, SphWork& work);
void derive(const Scene& scene, World& world, SphLiquid& fluid, StepWork& step, SphWork& work);
StableStep stable_step(const Scene& scene, const World& world, const SphLiquid& fluid, const SphWork& work);
[[nodiscard]] StepReport step(const Scene& scene, World& world, SphLiquid& fluid, StepWork& step, SphWork& work,
                              double dt);
void undo(SphLiquid& fluid, SphWork& work);
FrameLayers layers(const Scene& scene, const World& world, const SphLiquid& fluid, const SphWork& work);
inline SphReport report_of(const SphLiquid&) { return {}; }
const AssembledSystem* failed_system(const SphWork& work);

}  // namespace coracle
