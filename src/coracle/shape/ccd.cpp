#include "coracle/shape/ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace coracle {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// One to five steps are common. Surfaces that turn about each other by a radian take up to 200 at a distance of 10⁻⁵ of
// their size, ten times as many at 10⁻⁷.
constexpr int max_steps = 1000;
// Coordinates and displacements are rounded to this share of their size.
constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();

struct Pair {
  int i, j;  // nodes of the two sides; differences are x_i − x_j
};
constexpr std::array point_triangle_pairs{Pair{0, 1}, Pair{0, 2}, Pair{0, 3}};
constexpr std::array edge_edge_pairs{Pair{0, 2}, Pair{0, 3}, Pair{1, 2}, Pair{1, 3}};

// The least t > 0 with h + r t + c t² = 0, for h > 0.
double first_root(double h, double r, double c) {
  const double discriminant = r * r - 4 * h * c;
  if (!(discriminant >= 0)) return never;
  const double root = std::sqrt(discriminant);
  if (r < 0) return 2 * h / (root - r);
  return c < 0 ? (r + root) / (-2 * c) : never;
}

// The rate m at which n turns if it stays normal to the slides e_k of the closest feature: m · e_k = −n · ∂e_k/∂t. Any
// m gives a safe step, so that zero will do where the slides have no clear directions.
Vec3 turning_rate(const FourNodes& x, const FourNodes& u, const Vec3& n, ClosestFeature feature) {
  const Slides slides = slides_of(feature);
  if (slides.count == 0) return Vec3::Zero();
  std::array<Vec3, 2> e;
  std::array<double, 2> rate{};
  for (int k = 0; k < slides.count; ++k) {
    const auto [plus, minus] = slides.slide[k];
    e[k] = x[plus] - x[minus];
    rate[k] = -n.dot(u[plus] - u[minus]);
  }
  Vec3 m = Vec3::Zero();
  const double ee = e[0].squaredNorm();
  if (slides.count == 1) {
    if (ee > 0) m = rate[0] / ee * e[0];
  } else {
    const double ef = e[0].dot(e[1]), ff = e[1].squaredNorm(), det = ee * ff - ef * ef;
    if (det > 1e-12 * ee * ff) m = ((ff * rate[0] - ef * rate[1]) * e[0] + (ee * rate[1] - ef * rate[0]) * e[1]) / det;
  }
  return m - n.dot(m) * n;
}

double safe_step(const FourNodes& x, const FourNodes& u, std::span<const Pair> pairs, const SimplexDistance& closest,
                 double keep) {
  const Vec3 n = closest.difference / std::sqrt(closest.squared);
  const Vec3 m = turning_rate(x, u, n, closest.feature);
  const double bend = -0.5 * keep * m.squaredNorm();
  double straight = never, turning = never;
  for (const auto [i, j] : pairs) {
    const Vec3 r = x[i] - x[j], v = u[i] - u[j];
    const double h = n.dot(r) - keep, rate = n.dot(v);
    if (!(h > 0)) return 0;  // by rounding
    if (rate < 0) straight = std::min(straight, -h / rate);
    turning = std::min(turning, first_root(h, rate + m.dot(r), m.dot(v) + bend));
  }
  return std::max(straight, turning);
}

template <class Distance>
double advance(FourNodes x, FourNodes u, std::span<const Pair> pairs, const CcdOptions& options,
               const Distance& distance) {
  double size = 0;
  for (int i = 0; i < 4; ++i) size = std::max({size, x[i].lpNorm<Eigen::Infinity>(), u[i].lpNorm<Eigen::Infinity>()});
  // Subtract the motion of one node: only differences count.
  const Vec3 x0 = x[0], u0 = u[0];
  for (int i = 0; i < 4; ++i) x[i] -= x0, u[i] -= u0;

  SimplexDistance closest = distance(x);
  double d = std::sqrt(closest.squared);
  const double room = d - options.gap;
  if (!(room > 0)) return 0;
  const double keep = options.gap + options.slack * room + rounding * size;
  const double near = keep + 0.9 * std::min(options.slack, 1 - options.slack) * room;
  if (!(keep < d)) {  // the distance is rounding: safe only without motion
    const bool rests = std::all_of(u.begin(), u.end(), [](const Vec3& v) { return v.isZero(0); });
    return rests ? options.until : 0;
  }

  double t = 0;
  FourNodes now = x;
  for (int step = 0; step < max_steps; ++step) {
    const double next = t + safe_step(now, u, pairs, closest, keep);
    if (next >= options.until) return options.until;
    if (d <= near || next == t) return t;
    for (int i = 0; i < 4; ++i) now[i] = x[i] + next * u[i];
    closest = distance(now);
    d = std::sqrt(closest.squared);
    if (!(d > keep - rounding * size)) return t;
    t = next;
  }
  return t;
}

}  // namespace

double point_triangle_ccd(const FourNodes& x, const FourNodes& u, const CcdOptions& options) {
  return advance(x, u, point_triangle_pairs, options, point_triangle_distance);
}

double edge_edge_ccd(const FourNodes& x, const FourNodes& u, const CcdOptions& options) {
  return advance(x, u, edge_edge_pairs, options, edge_edge_distance);
}

}  // namespace coracle
