// The page of gas with smoke and heat. step/page.h says what each function does.
#pragma once

#include "coracle/report.h"
#include "coracle/step/body/stable_step.h"
#include "coracle/step/body/step_work.h"
#include "coracle/step/frame_layers.h"
#include "coracle/step/gas/gas_work.h"

namespace coracle {

struct AssembledSystem;

inline GasWork work_of(const Gas&) { return {}; }
void start(const Scene& scene, World& world, Gas& fluid, StepWork& step, GasWork& work);
void derive(const Scene& scene, World& world, Gas& fluid, StepWork& step, GasWork& work);
StableStep stable_step(const Scene& scene, const World& world, const Gas& fluid, const GasWork& work);
[[nodiscard]] StepReport step(const Scene& scene, World& world, Gas& fluid, StepWork& step, GasWork& work, double dt);
void undo(Gas& fluid, GasWork& work);
FrameLayers layers(const Scene& scene, const World& world, const Gas& fluid, const GasWork& work);
inline GasReport report_of(const Gas&) { return {}; }
const AssembledSystem* failed_system(const GasWork& work);

}  // namespace coracle
