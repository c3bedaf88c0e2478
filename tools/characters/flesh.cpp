#include "tools/characters/flesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle::characters {
namespace {

// The sphere of a cone that is nearest to x.
struct Nearest {
  Vec3 from;      // from its centre to x, pressed directions stretched to the full thickness
  double radius;  // m
  double length;  // |from|
  double beyond;  // the part of `from` along the axis
  double axis;    // length of the axis
};

// With z along the axis and r off it, the distance to the sphere about s is √((z − s)² + r²) − (ra − k s). It is least
// where (z − s) = k √((z − s)² + r²), so s = z − r k / √(1 − k²); it is convex in s, so the ends clamp s.
Nearest nearest(const Flesh& part, const Vec3& x, double flat) {
  const auto stretched = [&](const Vec3& v) -> Vec3 { return v + (1 / flat - 1) * part.across.dot(v) * part.across; };
  const Vec3 axis = stretched(part.b - part.a), p = stretched(x - part.a);
  const double length = axis.norm();
  if (length < 1e-12) return {p, part.ra, p.norm(), 0, length};
  const double z = p.dot(axis) / length, r = std::sqrt(std::max(p.squaredNorm() - z * z, 0.0));
  const double k = std::clamp((part.ra - part.rb) / length, -0.99, 0.99);
  const double s = std::clamp(z - r * k / std::sqrt(1 - k * k), 0.0, length);
  const Vec3 from = p - s / length * axis;
  return {from, part.ra + s / length * (part.rb - part.ra), from.norm(), from.dot(axis) / length, length};
}

}  // namespace

// A pressed cone alone would have a sharp rim. So half of the thickness is a rim of constant width around a core: with
// f = flat / 2, the core has the radius (1 − f) r and is pressed to f r, and the rim is f r wide. For f = ½, a sphere.
double distance_to(const Flesh& part, const Vec3& x) {
  if (part.flat == 1) {
    const Nearest n = nearest(part, x, 1);
    return n.length - n.radius;
  }
  const double f = 0.5 * part.flat, flat = f / (1 - f);
  const Nearest n = nearest(part, x, flat);
  if (n.length == 0) return -part.flat * n.radius;
  // Stretching multiplies the slope: |S n|, with n = from / |from| and S the stretch.
  const double along = part.across.dot(n.from) / n.length;
  return (n.length - (1 - f) * n.radius) / std::sqrt(1 + (1 / (flat * flat) - 1) * along * along) - f * n.radius;
}

double relative_distance(const Flesh& part, const Vec3& x) {
  const Nearest n = nearest(part, x, part.flat);
  const double off = std::sqrt(std::max(n.length * n.length - n.beyond * n.beyond, 0.0));
  return std::hypot(off / n.radius, n.beyond / (n.axis > 0 ? std::min(n.axis, n.radius) : n.radius));
}

double distance_to(const std::vector<Flesh>& body, const Vec3& x) {
  double d = std::numeric_limits<double>::infinity();
  for (const Flesh& part : body) {
    const double next = distance_to(part, x);
    // A smooth minimum: min(d, d') − h²/4k with h = max(k − |d − d'|, 0), k the blend.
    const double h = part.blend > 0 ? std::max(part.blend - std::abs(d - next), 0.0) : 0;
    d = std::min(d, next) - (h > 0 ? h * h / (4 * part.blend) : 0);
  }
  return d;
}

Bounds bounds_of(const std::vector<Flesh>& body) {
  Bounds box;
  for (const Flesh& part : body) {
    const auto add = [&](const Vec3& centre, double radius) {
      box.extend(centre - Vec3::Constant(radius + part.blend));
      box.extend(centre + Vec3::Constant(radius + part.blend));
    };
    add(part.a, part.ra), add(part.b, part.rb);
  }
  return box;
}

}  // namespace coracle::characters
