// Where the motions of a solid have taken the space around it.
#pragma once

#include "coracle/scene.h"

namespace coracle {

// x = turn · rest + shift.
struct Pose {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();

  Vec3 operator()(const Vec3& rest) const { return turn * rest + shift; }
  Vec3 back(const Vec3& x) const { return turn.transpose() * (x - shift); }
};

Pose pose_at(const std::vector<MotionOptions>& motions, double time);

struct PosedBox {
  Bounds box;  // m, without the motion
  Pose pose;

  bool contains(const Vec3& x) const { return box.contains(pose.back(x)); }
  // The share of a cube around `center` that lies in the box. Exact while the box is not turned, else by sampling.
  double share_of_cube(const Vec3& center, double side) const;
};

// The part of the line that lies in the bounds; of no length if there is none.
void clip_line(const Bounds& bounds, Vec3& from, Vec3& to);

}  // namespace coracle
