// A quantity between its keys, with its rate of change.
#pragma once

#include "coracle/character.h"

namespace coracle {

// a, b and their derivatives with respect to time.
struct MovingAffine {
  Mat3 a = Mat3::Identity(), a_rate = Mat3::Zero();
  Vec3 b = Vec3::Zero(), b_rate = Vec3::Zero();
};

// First `inner`, then `outer`.
MovingAffine operator*(const MovingAffine& outer, const MovingAffine& inner);

// The map of a track at a time of the clip; rates are those just after it.
MovingAffine track_at(const Track& track, double time);

}  // namespace coracle
