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
