// Displacement and velocity of a body at the start, as fields of the place at rest.
#pragma once

#include "coracle/body.h"

namespace coracle {

// Adds what start_displacement, start_velocity and start_file say. The file has one line per node: three numbers, the
// displacement in m, or six, and then the velocity in m/s. Held nodes keep what holds prescribe. Throws
// std::runtime_error with a reason.
void add_start(const BodyOptions& options, Body& body);

}  // namespace coracle
