// What gas keeps between steps besides its state.
#pragma once

#include "coracle/step/gas/jets.h"
#include "coracle/step/grid/grid_work.h"

#include <vector>

namespace coracle {

struct GasWork : GridWork {
  std::vector<Jet> jets;
  Array3<double> wall_phi;            // m, < 0 in solids, without those that blow gas
  Array3<std::uint8_t> near_sources;  // of smoke
};

}  // namespace coracle
