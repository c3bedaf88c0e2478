#pragma once

#include "coracle/world.h"

#include <string>
#include <vector>

namespace coracle {

// What may go wrong with animated solids during the run: they pass through themselves, leave the domain, or jump where
// their clip begins again. Looks at some poses over the clip and over the run.
std::vector<std::string> animation_warnings(const Scene& scene, const std::vector<Solid>& solids);

}  // namespace coracle
