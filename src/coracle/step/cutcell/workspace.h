// What follows from the state and is kept between the stages of a step. It holds nothing that a checkpoint would miss.
#pragma once

#include "coracle/base/grid.h"

namespace coracle {

struct Workspace {
  Array3<double> liquid_phi;  // m, < 0 in liquid, at cell centres, extended into solids
  Array3<double> solid_phi;   // m, < 0 in solids, at cell centres, exact in a band around surfaces
};

}  // namespace coracle
