// Light where two clear media meet. η = n₂ / n₁, the media behind and before the boundary; the normal points against
// the ray.
#pragma once

#include "coracle/types.h"

#include <algorithm>
#include <cmath>

namespace coracle {

inline constexpr float water_index = 1.33f, glass_index = 1.5f;

// Fresnel's share of unpolarised light that is reflected; 1 beyond the critical angle. The rest passes.
inline float fresnel(float cos_in, float eta) {
  const float sin2_out = (1 - cos_in * cos_in) / (eta * eta);  // Snell: sin θ₁ = η sin θ₂
  if (sin2_out >= 1) return 1;
  const float cos_out = std::sqrt(1 - sin2_out);
  const float s = (cos_in - eta * cos_out) / (cos_in + eta * cos_out);
  const float p = (eta * cos_in - cos_out) / (eta * cos_in + cos_out);
  return 0.5f * (s * s + p * p);
}

// Both faces of a thin pane, light going back and forth between them: 2R / (1 + R).
inline float pane_reflectance(float cos_in) {
  const float r = fresnel(cos_in, glass_index);
  return 2 * r / (1 + r);
}

inline Vec3f reflected(const Vec3f& d, const Vec3f& n) { return d - 2 * d.dot(n) * n; }

// Not beyond the critical angle.
inline Vec3f refracted(const Vec3f& d, const Vec3f& n, float eta) {
  const float cos_in = -d.dot(n), sin2_out = (1 - cos_in * cos_in) / (eta * eta);
  return (d / eta + (cos_in / eta - std::sqrt(std::max(0.0f, 1 - sin2_out))) * n).normalized();
}

// Beer and Lambert: what is left of light after a length of something that absorbs, 1/m.
inline Vec3f attenuated(const Vec3f& absorption, float length) { return (-absorption * length).array().exp(); }

}  // namespace coracle
