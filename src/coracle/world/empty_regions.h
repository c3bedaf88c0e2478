#pragma once

#include "coracle/world.h"

#include <string>
#include <vector>

namespace coracle {

// A warning per liquid region that holds no particle at the start: it is too small for one, or solids fill it.
std::vector<std::string> empty_regions(const Scene& scene, const World& world);

}  // namespace coracle
