// Motion of the clock and the bodies, and the limits that bodies set on a step.
#pragma once

#include "coracle/step/contact/penalty.h"
#include "coracle/world.h"

#include <string>
#include <vector>

namespace coracle {

void advance_clock(Clock& clock, double dt);
// x ← x + dt × motion, the velocities that the bodies' solve found.
void move_bodies(std::vector<Body>& bodies, const std::vector<NodeField>& motion, double dt);
// The longest step in which no node moves more than half an edge of its body, so that none passes through the surface
// of another; longer only where time.cfl asks for very long steps.
double bodies_dt(const Scene& scene, const World& world);
// The largest speed of moving solids and bodies, m/s; of held nodes also that of the next frame.
double fastest_solid(const Scene& scene, const World& world);

}  // namespace coracle
