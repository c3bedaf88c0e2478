// The page of liquid with a free surface. step/page.h says what each function does.
#pragma once

#include "coracle/report.h"
#include "coracle/step/body/stable_step.h"
#include "coracle/step/body/step_work.h"
#include "coracle/step/frame_layers.h"
#include "coracle/step/liquid/liquid_work.h"

namespace coracle {

struct AssembledSystem;

inline LiquidWork work_of(const Liquid&) { return {}; }
void start(const Scene& scene, World& world, Liquid& fluid, StepWork& step, LiquidWork& work);
void derive(const Scene& scene, World& world, Liquid& fluid, StepWork& step, LiquidWork& work);
StableStep stable_step(const Scene& scene, const World& world, const Liquid& fluid, const LiquidWork& work);
[[nodiscard]] StepReport step(const Scene& scene, World& world, Liquid& fluid, StepWork& step, LiquidWork& work,
                              double dt);
void undo(Liquid& fluid, LiquidWork& work);
void bring_home(Liquid& fluid, LiquidWork& work);
void set_out(Liquid& fluid, LiquidWork& work);
FrameLayers layers(const Scene& scene, const World& world, const Liquid& fluid, const LiquidWork& work);
inline LiquidReport report_of(const Liquid&) { return {}; }
const AssembledSystem* failed_system(const LiquidWork& work);

}  // namespace coracle
