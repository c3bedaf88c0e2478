#include "coracle/shape/simplex_distance.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>

namespace coracle {

namespace {

// sin² of the angle between two edges. Below `flat`, rounding alone decides the direction of their normal. Below
// `thin`, the closest point in the face is uncertain enough that a side may be closer.
constexpr double flat = 1e-28, thin = 1e-10;
// Squared distances are equal to this share.
constexpr double tie = 1e-15;

// The difference of closest points is normal to the directions in which they slide. Small differences of large
// coordinates are not, by rounding; these bring them back.
Vec3 part_along(const Vec3& v, const Vec3& n, double nn) { return (n.dot(v) / nn) * n; }
Vec3 part_across(const Vec3& v, const Vec3& e, double ee) { return v - (e.dot(v) / ee) * e; }

// Closest point on a segment.
struct OnSegment {
  double t = 0;  // 0: start, 1: end
  Vec3 difference = Vec3::Zero();
};

OnSegment closest_on_segment(const Vec3& q, const Vec3& start, const Vec3& end) {
  const Vec3 e = end - start, r = q - start;
  const double re = r.dot(e), ee = e.squaredNorm();
  if (!(re > 0)) return {0, r};
  if (re >= ee) return {1, q - end};
  const double t = re / ee;
  // From the nearer end: less rounding.
  return {t, part_across(t < 0.5 ? Vec3(r - t * e) : Vec3((q - end) + (1 - t) * e), e, ee)};
}

}  // namespace

SimplexDistance point_triangle_distance(const FourNodes& x) {
  const auto& [p, a, b, c] = x;
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const Vec3 n = ab.cross(ac);
  const double nn = n.squaredNorm(), product = ab.squaredNorm() * ac.squaredNorm();

  SimplexDistance best;
  best.squared = std::numeric_limits<double>::infinity();
  if (nn > flat * product) {
    const double beta_b = ap.cross(ac).dot(n) / nn, beta_c = ab.cross(ap).dot(n) / nn;
    const double beta_a = 1 - beta_b - beta_c;
    if (beta_a > 0 && beta_b > 0 && beta_c > 0) {
      best.difference = ap - beta_b * ab - beta_c * ac;
      if (nn > thin * product) best.difference = part_along(best.difference, n, nn);
      best.squared = best.difference.squaredNorm();
      best.weight = Weights(1, -beta_a, -beta_b, -beta_c);
      best.feature = ClosestFeature::face;
      if (nn > thin * product) return best;
    }
  }

  using enum ClosestFeature;
  constexpr std::array corner{corner_a, corner_b, corner_c}, side{side_ab, side_bc, side_ca};
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    const OnSegment on = closest_on_segment(p, x[1 + k], x[1 + l]);
    const double squared = on.difference.squaredNorm();
    // Beside a corner, the inside of a side is closer by less than rounding: prefer it, so that the point slides on.
    const bool inside = on.t > 0 && on.t < 1, inside_before = (best.weight.array() != 0).count() == 3;
    const double favour = double(inside) - double(inside_before && !inside);
    if (!(squared < best.squared * (1 + favour * tie))) continue;
    best.squared = squared;
    best.difference = on.difference;
    best.weight = Weights::UnitX();
    best.weight[1 + k] = on.t - 1;
    best.weight[1 + l] = -on.t;
    best.feature = on.t == 0 ? corner[k] : on.t == 1 ? corner[l] : side[k];
  }
  return best;
}

SimplexDistance edge_edge_distance(const FourNodes& x) {
  const auto& [a0, a1, b0, b1] = x;
  const Vec3 da = a1 - a0, db = b1 - b0, r = b0 - a0;
  const double aa = da.squaredNorm(), bb = db.squaredNorm();
  const Vec3 n = da.cross(db);
  const double nn = n.squaredNorm();

  // The closest point to the line of edge b on edge a; any point if they are parallel.
  double s = 0;
  if (nn > flat * (aa * bb)) s = std::clamp(r.cross(db).dot(n) / nn, 0.0, 1.0);
  // The closest point to that on edge b. If it is an end, then the closest point to this end on edge a.
  const double along_b = (s * da - r).dot(db);
  double t = 0;
  if (along_b > 0 && along_b < bb) {
    t = along_b / bb;
  } else {
    t = along_b > 0 ? 1 : 0;
    s = closest_on_segment(t == 0 ? b0 : b1, a0, a1).t;
  }

  SimplexDistance best;
  best.weight = Weights(1 - s, s, t - 1, -t);
  // From the nearer ends: less rounding.
  best.difference = (s < 0.5 ? a0 : a1) - (t < 0.5 ? b0 : b1);
  best.difference += (s < 0.5 ? s : s - 1) * da - (t < 0.5 ? t : t - 1) * db;
  using enum ClosestFeature;
  constexpr ClosestFeature features[3][3] = {// s at 0, at 1, between; then t
                                             {a0_b0, a0_b1, a0_on_b},
                                             {a1_b0, a1_b1, a1_on_b},
                                             {b0_on_a, b1_on_a, lines}};
  const auto place = [](double t) { return t == 0 ? 0 : t == 1 ? 1 : 2; };
  best.feature = features[place(s)][place(t)];
  if (best.feature == lines && nn > thin * (aa * bb))
    best.difference = part_along(best.difference, n, nn);
  else if (place(t) == 2)
    best.difference = part_across(best.difference, db, bb);
  else if (place(s) == 2)
    best.difference = part_across(best.difference, da, aa);
  best.squared = best.difference.squaredNorm();
  return best;
}

Slides slides_of(ClosestFeature feature) {
  switch (feature) {
    case ClosestFeature::side_ab:
      return {1, {{{1, 2}}}};
    case ClosestFeature::side_bc:
      return {1, {{{2, 3}}}};
    case ClosestFeature::side_ca:
      return {1, {{{3, 1}}}};
    case ClosestFeature::face:
      return {2, {{{1, 2}, {1, 3}}}};
    case ClosestFeature::a0_on_b:
    case ClosestFeature::a1_on_b:
      return {1, {{{2, 3}}}};
    case ClosestFeature::b0_on_a:
    case ClosestFeature::b1_on_a:
      return {1, {{{1, 0}}}};
    case ClosestFeature::lines:
      return {2, {{{1, 0}, {2, 3}}}};
    default:
      return {};
  }
}

}  // namespace coracle
