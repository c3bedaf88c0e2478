// What follows from the state and is kept between steps. A checkpoint does not need it.
#pragma once

#include "coracle/step/body/step_work.h"
#include "coracle/step/dry/dry_page.h"
#include "coracle/step/gas/gas_work.h"
#include "coracle/step/liquid/liquid_work.h"
#include "coracle/step/sph/sph_work.h"
#include "coracle/world/archive.h"

#include <variant>

namespace coracle {

struct Workspace {
  StepWork step;
  Rollback before;                                            // the world before the step
  bool stale = false;                                         // a step was undone: derive() must make it anew
  std::variant<DryWork, LiquidWork, GasWork, SphWork> fluid;  // of the kind of World::fluid
};

}  // namespace coracle
