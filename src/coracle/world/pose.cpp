#include "coracle/world/pose.h"

#include "coracle/world/motion.h"

#include <algorithm>

namespace coracle {

Pose pose_at(const std::vector<MotionOptions>& motions, double time) {
  Pose pose;
  if (motions.empty()) return pose;
  std::vector<Vec3> x, v;
  apply_motions(motions, time, {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}, x, v);
  pose.shift = x[0];
  for (int a = 0; a < 3; ++a) pose.turn.col(a) = x[a + 1] - x[0];
  return pose;
}

double PosedBox::share_of_cube(const Vec3& center, double side) const {
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

void clip_line(const Bounds& bounds, Vec3& from, Vec3& to) {
  double first = 0, last = 1;
  const Vec3 along = to - from;
  for (int a = 0; a < 3; ++a) {
    if (along[a] == 0) {
      if (from[a] < bounds.lo[a] || from[a] > bounds.hi[a]) last = first;
      continue;
    }
    const double s = (bounds.lo[a] - from[a]) / along[a], t = (bounds.hi[a] - from[a]) / along[a];
    first = std::max(first, std::min(s, t));
    last = std::min(last, std::max(s, t));
  }
  last = std::max(first, last);
  to = from + last * along;
  from += first * along;
}

}  // namespace coracle
