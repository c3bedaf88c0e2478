// Each motion is rigid: a rotation R about a pivot p and a shift s:
//   x ← p + R (x − p) + s,   v ← R v + ω × R (x − p) + ṡ.
#include "coracle/world/motion.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/character.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

struct RigidMotion {
  double angle = 0, rate = 0;  // rad, rad/s about axis through pivot
  Vec3 shift = Vec3::Zero(), shift_rate = Vec3::Zero();
};

// Piecewise linear, constant outside; the slope to the right of `time`.
template <class T>
void interpolate(const std::vector<double>& times, const std::vector<T>& values, double time, T& value, T& slope) {
  if (values.empty() || times.size() != values.size()) return;
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  if (next == times.begin()) {
    value = values.front();
  } else if (next == times.end()) {
    value = values.back();
  } else {
    const std::size_t j = std::size_t(next - times.begin()), i = j - 1;
    slope = (values[j] - values[i]) / (times[j] - times[i]);
    value = values[i] + slope * (time - times[i]);
  }
}

RigidMotion motion_at(const MotionOptions& m, double time) {
  RigidMotion r;
  if (m.kind == MotionKind::keyframes) {
    interpolate(m.times, m.offsets, time, r.shift, r.shift_rate);
    interpolate(m.times, m.angles, time, r.angle, r.rate);
    return r;
  }
  const double t = std::clamp(time, m.start, std::max(m.start, m.end)) - m.start;
  const double on = time >= m.start && time < m.end ? 1 : 0;
  if (m.kind == MotionKind::velocity) {
    r.shift = t * m.velocity;
    r.shift_rate = on * m.velocity;
  } else if (m.kind == MotionKind::rotation) {
    r.angle = t * m.rate;
    r.rate = on * m.rate;
  } else {
    const double w = 2 * std::numbers::pi * m.frequency;
    r.shift = m.amplitude * (std::sin(w * t + m.phase) - std::sin(m.phase));
    r.shift_rate = on * w * std::cos(w * t + m.phase) * m.amplitude;
  }
  return r;
}

}  // namespace

void apply_motions(const std::vector<MotionOptions>& motions, double time, const std::vector<Vec3>& rest,
                   std::vector<Vec3>& x, std::vector<Vec3>& v) {
  x = rest;
  v.assign(rest.size(), Vec3::Zero());
  apply_motions(motions, time, x, v);
}

void apply_motions(const std::vector<MotionOptions>& motions, double time, std::vector<Vec3>& x, std::vector<Vec3>& v,
                   std::vector<Mat3>* frames) {
  for (const MotionOptions& m : motions) {
    const RigidMotion r = motion_at(m, time);
    const Vec3 axis = m.axis.normalized();
    const Mat3 turn = Eigen::AngleAxisd(r.angle, axis).toRotationMatrix();
    for_each_index(x.size(), [&](std::size_t i) {
      const Vec3 arm = turn * (x[i] - m.pivot);
      v[i] = turn * v[i] + r.rate * axis.cross(arm) + r.shift_rate;
      x[i] = r.angle == 0 ? Vec3(x[i] + r.shift) : Vec3(m.pivot + arm + r.shift);
      if (frames) (*frames)[i] = turn * (*frames)[i];
    });
  }
}

void solid_at(const Solid& solid, double time, std::vector<Vec3>& x, std::vector<Vec3>& v) {
  if (!solid.character) return apply_motions(solid.motions, time, solid.rest->x, x, v);
  pose(*solid.character, solid.playback, time, x, v);
  apply_motions(solid.motions, time, x, v);
}

void solid_at(const Solid& solid, double time, std::vector<Vec3>& x, std::vector<Vec3>& v, std::vector<Mat3>& frames) {
  if (solid.character) {
    pose(*solid.character, solid.playback, time, x, v, frames);
  } else {
    x = solid.rest->x;
    v.assign(x.size(), Vec3::Zero());
    frames.assign(x.size(), Mat3::Identity());
  }
  apply_motions(solid.motions, time, x, v, &frames);
}

}  // namespace coracle
