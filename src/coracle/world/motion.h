// Scripted motions: positions and velocities of vertices as pure functions of time.
#pragma once

#include "coracle/scene.h"

#include <vector>

namespace coracle {

// x = f(rest, t) and v = ∂f/∂t; the motions are applied one after another. At a kink of a motion (a start, an end, a
// keyframe) v is the velocity just after it.
void apply_motions(const std::vector<MotionOptions>& motions, double time, const std::vector<Vec3>& rest,
                   std::vector<Vec3>& x, std::vector<Vec3>& v);

}  // namespace coracle
