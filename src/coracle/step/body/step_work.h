// What every page keeps between steps besides the state. A checkpoint does not need it.
#pragma once

#include "coracle/step/body/body_problem.h"

#include <string>
#include <vector>

namespace coracle {

struct StepWork {
  BodySystem bodies;
  std::vector<NodeField> body_motion;   // m/s, by which the nodes move over the step, per body
  std::vector<Embedding> probe_places;  // of displacement probes, in their order; empty before the first
  std::string fail_after;               // a stage after which steps fail, for tests; empty: none
};

}  // namespace coracle
