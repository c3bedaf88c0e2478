// What the barrier needs at the start of a run.
#pragma once

#include "coracle/world.h"

#include <vector>

namespace coracle {

// Bodies that cross or touch others, themselves, solids or the sides of the domain, and a distance that is too large
// for a body. None if the scene does not use the barrier.
std::vector<Problem> barrier_problems(const Scene& scene, const World& world);

}  // namespace coracle
