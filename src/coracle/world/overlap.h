// Bodies and solids that lie in each other before anything moves.
#pragma once

#include "coracle/world.h"

#include <vector>

namespace coracle {

// One problem per pair of a body and a solid, or of two bodies, that overlap by more than a quarter of a surface edge;
// contact can part what overlaps less. Pinned nodes may lie anywhere: contact does not move them.
std::vector<Problem> overlap_problems(const std::vector<Solid>& solids, const std::vector<Body>& bodies);

}  // namespace coracle
