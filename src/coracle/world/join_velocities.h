// Start velocities of bodies that are tied to each other.
#pragma once

#include "coracle/world.h"

namespace coracle {

// Bodies whose velocities do not agree at their ties start as if they had just been joined, by an inelastic impact that
// keeps momentum and angular momentum. Those that agree keep theirs.
void join_start_velocities(World& world);

}  // namespace coracle
