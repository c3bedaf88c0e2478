// Light at the boundary of two clear media. η = n₂ / n₁: medium 1 is in front of the boundary, medium 2 behind it; the
// normal points against the ray.
#pragma once

#include "coracle/types.h"

#include <algorithm>
#include <cmath>

namespace coracle {

inline constexpr float water_index = 1.33f, glass_index = 1.5f;

// Fresnel reflectance of unpolarised light; 1 beyond the critical angle. The rest is transmitted.
inline float fresnel(float cos_in, float eta) {
  const float sin2_out = (1 - cos_in * cos_in) / (eta * eta);  // Snell: sin θ₁ = η sin θ₂
  if (sin2_out >= 1) return 1;
  const float cos_out = std::sqrt(1 - sin2_out);
  const float s = (cos_in - eta * cos_out) / (cos_in + eta * cos_out);
  const float p = (eta * cos_in - cos_out) / (eta * cos_in + cos_out);
  return 0.5f * (s * s + p * p);
}

// Both faces of a thin pane, with all reflections between them: 2R / (1 + R).
inline float pane_reflectance(float cos_in) {
  const float r = fresnel(cos_in, glass_index);
  return 2 * r / (1 + r);
}

inline Vec3f reflected(const Vec3f& d, const Vec3f& n) { return d - 2 * d.dot(n) * n; }

// Only below the critical angle.
inline Vec3f refracted(const Vec3f& d, const Vec3f& n, float eta) {
  const float cos_in = -d.dot(n), sin2_out = (1 - cos_in * cos_in) / (eta * eta);
  return (d / eta + (cos_in / eta - std::sqrt(std::max(0.0f, 1 - sin2_out))) * n).normalized();
}

// Beer–Lambert: the share of light that is left after `length` in a medium of this absorption, 1/m.
inline Vec3f attenuated(const Vec3f& absorption, float length) { return (-absorption * length).array().exp(); }

// Colour of a matte surface of colour a under a film of water, which sends light back onto it by total reflection:
// a / (n² (1 − a) + a), after Ångström [LeknerDorf88].
inline Vec3f wet_color(const Vec3f& a) {
  const auto b = a.array();
  return b / (water_index * water_index * (1 - b) + b);
}

}  // namespace coracle
