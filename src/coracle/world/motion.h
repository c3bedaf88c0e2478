// Scripted motions: positions and velocities of vertices as pure functions of time.
#pragma once

#include "coracle/world.h"

#include <vector>

namespace coracle {

// x = f(rest, t) and v = ∂f/∂t; the motions are applied one after another. At a kink of a motion (a start, an end, a
// keyframe) v is the velocity just after it.
void apply_motions(const std::vector<MotionOptions>& motions, double time, const std::vector<Vec3>& rest,
                   std::vector<Vec3>& x, std::vector<Vec3>& v);
// The same of what moves already, with v, and has turned by `frames`, if there are any.
void apply_motions(const std::vector<MotionOptions>& motions, double time, std::vector<Vec3>& x, std::vector<Vec3>& v,
                   std::vector<Mat3>* frames = nullptr);

// Positions and velocities of a solid: first its animation, then its motions.
void solid_at(const Solid& solid, double time, std::vector<Vec3>& x, std::vector<Vec3>& v);
// With the linear part of the map from the surroundings of each vertex of solid.rest (shape/character.h).
void solid_at(const Solid& solid, double time, std::vector<Vec3>& x, std::vector<Vec3>& v, std::vector<Mat3>& frames);

}  // namespace coracle
