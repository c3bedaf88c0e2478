// Shells for liquid on the solids of a scene, method skinned.
#pragma once

#include "coracle/world.h"

namespace coracle {

// Dry ones, for the solids that ask for it. Throws SceneError where a shell cannot be made.
std::vector<WetSkin> make_skins(const Scene& scene, const std::vector<Solid>& solids, const Grid& grid);

}  // namespace coracle
