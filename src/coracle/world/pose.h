// Where the motions of a solid have taken the space around it.
#pragma once

#include "coracle/both.h"
#include "coracle/scene.h"

#include <cmath>

namespace coracle {

// x = turn · rest + shift.
struct Pose {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();

  Vec3 operator()(const Vec3& rest) const { return turn * rest + shift; }
  CORACLE_BOTH Vec3 back(const Vec3& x) const { return turn.transpose() * (x - shift); }
};

Pose pose_at(const std::vector<MotionOptions>& motions, double time);

struct PosedBox {
  Bounds box;  // m, without the motion
  Pose pose;

  CORACLE_BOTH bool contains(const Vec3& x) const {
    const Vec3 at = pose.back(x);
    return (at.array() >= box.lo.array()).all() && (at.array() <= box.hi.array()).all();
  }
  // The share of a cube around `center` that lies in the box. Exact while the box is not turned, else by sampling.
  CORACLE_BOTH double share_of_cube(const Vec3& center, double side) const;
};

CORACLE_BOTH inline double PosedBox::share_of_cube(const Vec3& center, double side) const {
  const Vec3 middle = pose.back(center);
  constexpr double straight = 1e-12;
  if ((pose.turn - Mat3::Identity()).cwiseAbs().maxCoeff() < straight) {
    const Vec3 lo = (middle.array() - 0.5 * side).max(box.lo.array());
    const Vec3 hi = (middle.array() + 0.5 * side).min(box.hi.array());
    return (hi - lo).cwiseMax(0.0).prod() / (side * side * side);
  }
  const double reach = 0.5 * std::sqrt(3.0) * side;  // of the cube, from its centre
  const Vec3 room = (middle - box.lo).cwiseMin(box.hi - middle);
  if (room.minCoeff() >= reach) return 1;
  if (room.minCoeff() <= -reach) return 0;
  constexpr int samples = 6;  // along each side
  int inside = 0;
  for (int i = 0; i < samples; ++i)
    for (int j = 0; j < samples; ++j)
      for (int k = 0; k < samples; ++k)
        inside += contains(center + side * ((Vec3(i, j, k).array() + 0.5) / samples - 0.5).matrix());
  return double(inside) / (samples * samples * samples);
}

// The part of the line that lies in the bounds; of no length if there is none.
void clip_line(const Bounds& bounds, Vec3& from, Vec3& to);

}  // namespace coracle
