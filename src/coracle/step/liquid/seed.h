// The liquid at time zero.
#pragma once

#include "coracle/world.h"

namespace coracle {

// Eight jittered particles per cell, one per octant, inside the scene's regions and outside solids and bodies.
Particles seed_particles(const Scene& scene, const World& world, const Grid& grid);

}  // namespace coracle
