// What a Simulation owns.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/simulation.h"
#include "coracle/step/workspace.h"

#include <memory>

namespace coracle {

struct Simulation::State {
  Scene scene;
  World world;
  Workspace work;
  std::unique_ptr<ThreadLimit> threads;
};

}  // namespace coracle
