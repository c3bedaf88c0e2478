// Between two keys at t₀ and t₁ = t₀ + h, with s = (t − t₀) / h:
//   step    y = y₀
//   linear  y = (1 − s) y₀ + s y₁; of rotations q = q₀ exp(s log(q₀⁻¹ q₁)), with the nearer of q₁ and −q₁
//   cubic   y = (2s³ − 3s² + 1) y₀ + (s³ − 2s² + s) h m₀ + (3s² − 2s³) y₁ + (s³ − s²) h m₁, rotations normalised
// as the glTF 2.0 specification defines them (appendix C).
#include "coracle/shape/keys.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

using Vec4 = Eigen::Vector4d;
using Quaternion = Eigen::Quaterniond;

struct Value {
  Vec4 y, rate;
};

Vec4 value_of(const Keys& keys, std::size_t key) {
  return keys.interpolation == Interpolation::cubic ? keys.values[3 * key + 1] : keys.values[key];
}

// The last key that is not after `time`; none before the first key, and none from the last key on.
bool between_keys(const Keys& keys, double time, std::size_t& key) {
  const auto next = std::upper_bound(keys.times.begin(), keys.times.end(), time);
  key = next == keys.times.begin() ? 0 : std::size_t(next - keys.times.begin()) - 1;
  return next != keys.times.begin() && next != keys.times.end();
}

Value cubic(const Keys& keys, std::size_t i, double s, double h) {
  const Vec4 &y0 = keys.values[3 * i + 1], &m0 = keys.values[3 * i + 2];
  const Vec4 &y1 = keys.values[3 * i + 4], &m1 = keys.values[3 * i + 3];
  const double s2 = s * s, s3 = s2 * s;
  return {(2 * s3 - 3 * s2 + 1) * y0 + (s3 - 2 * s2 + s) * h * m0 + (3 * s2 - 2 * s3) * y1 + (s3 - s2) * h * m1,
          (6 * s2 - 6 * s) / h * (y0 - y1) + (3 * s2 - 4 * s + 1) * m0 + (3 * s2 - 2 * s) * m1};
}

Value vector_at(const Keys& keys, double time) {
  std::size_t i = 0;
  if (!between_keys(keys, time, i) || keys.interpolation == Interpolation::step)
    return {value_of(keys, i), Vec4::Zero()};
  const double h = keys.times[i + 1] - keys.times[i], s = (time - keys.times[i]) / h;
  if (keys.interpolation == Interpolation::cubic) return cubic(keys, i, s, h);
  const Vec4 rate = (keys.values[i + 1] - keys.values[i]) / h;
  return {keys.values[i] + (time - keys.times[i]) * rate, rate};
}

// The rotation R and its rate [ω]× R.
void rotation_at(const Keys& keys, double time, Mat3& turn, Mat3& turn_rate) {
  Vec3 omega = Vec3::Zero();
  Quaternion q;
  std::size_t i = 0;
  if (!between_keys(keys, time, i) || keys.interpolation == Interpolation::step) {
    q = Quaternion(value_of(keys, i)).normalized();
  } else {
    const double h = keys.times[i + 1] - keys.times[i], s = (time - keys.times[i]) / h;
    if (keys.interpolation == Interpolation::cubic) {
      const Value value = cubic(keys, i, s, h);
      const double length = value.y.norm();
      const Vec4 unit = value.y / length;
      const Vec4 rate = (value.rate - unit * unit.dot(value.rate)) / length;
      q = Quaternion(unit);
      omega = 2 * (Quaternion(rate) * q.conjugate()).vec();  // ω = 2 q̇ q⁻¹
    } else {
      const Quaternion from = Quaternion(keys.values[i]).normalized();
      Quaternion to = Quaternion(keys.values[i + 1]).normalized();
      if (from.dot(to) < 0) to.coeffs() *= -1;
      const Quaternion step = from.conjugate() * to;
      const double sine = step.vec().norm(), half = std::atan2(sine, step.w());
      const Vec3 axis = sine > 0 ? Vec3(step.vec() / sine) : Vec3::UnitX();
      q = from * Quaternion(Eigen::AngleAxisd(2 * half * s, axis));
      omega = from * Vec3(2 * half / h * axis);
    }
  }
  turn = q.toRotationMatrix();
  for (int c = 0; c < 3; ++c) turn_rate.col(c) = omega.cross(turn.col(c));
}

}  // namespace

MovingAffine operator*(const MovingAffine& outer, const MovingAffine& inner) {
  return {.a = outer.a * inner.a,
          .a_rate = outer.a_rate * inner.a + outer.a * inner.a_rate,
          .b = outer.a * inner.b + outer.b,
          .b_rate = outer.a_rate * inner.b + outer.a * inner.b_rate + outer.b_rate};
}

MovingAffine track_at(const Track& track, double time) {
  const Value shift = vector_at(track.translation, time), scale = vector_at(track.scale, time);
  Mat3 turn, turn_rate;
  rotation_at(track.rotation, time, turn, turn_rate);
  const auto s = scale.y.head<3>().asDiagonal();
  const auto s_rate = scale.rate.head<3>().asDiagonal();
  return {
      .a = turn * s, .a_rate = turn_rate * s + turn * s_rate, .b = shift.y.head<3>(), .b_rate = shift.rate.head<3>()};
}

}  // namespace coracle
