#pragma once

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace clip_detail {

// A convex polygon; a triangle cut by six planes has at most nine corners.
struct Polygon {
  std::array<Vec3, 12> x;
  int count = 0;
  void push(const Vec3& p) { x[count++] = p; }
};

// Split by the plane x[axis] = c. Corners on the plane belong to both sides. New corners are computed from the lower
// end of their edge, so that two triangles that share an edge get the same point.
inline void split(const Polygon& in, int axis, double c, Polygon& below, Polygon& above) {
  below.count = above.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const Vec3& a = in.x[i];
    const Vec3& b = in.x[(i + 1) % in.count];
    if (a[axis] <= c) below.push(a);
    if (a[axis] >= c) above.push(a);
    if ((a[axis] < c && b[axis] > c) || (a[axis] > c && b[axis] < c)) {
      const Vec3& lo = a[axis] < b[axis] ? a : b;
      const Vec3& hi = a[axis] < b[axis] ? b : a;
      Vec3 p = lo + (c - lo[axis]) / (hi[axis] - lo[axis]) * (hi - lo);
      p[axis] = c;
      below.push(p), above.push(p);
    }
  }
}

template <class Emit>
void cut_axis(const Polygon& polygon, int axis, const Vec3i& n, const Vec3& toward, Vec3i& cell, Emit& emit) {
  if (polygon.count < 3) return;
  if (axis == 3) {
    Vec3 area = Vec3::Zero(), moment = Vec3::Zero();
    double total = 0;
    for (int i = 1; i + 1 < polygon.count; ++i) {
      const Vec3 part = 0.5 * (polygon.x[i] - polygon.x[0]).cross(polygon.x[i + 1] - polygon.x[0]);
      const double weight = part.norm();
      area += part;
      total += weight;
      moment += weight * (polygon.x[0] + polygon.x[i] + polygon.x[i + 1]) / 3;
    }
    if (total > 0) emit(Piece{cell, area, moment / total});
    return;
  }
  double lo = polygon.x[0][axis], hi = lo;
  for (int i = 1; i < polygon.count; ++i) lo = std::min(lo, polygon.x[i][axis]), hi = std::max(hi, polygon.x[i][axis]);
  const auto clamped = [&](double slab) { return int(std::clamp(slab, -1.0, double(n[axis]))); };
  int first = clamped(std::floor(lo)), last = clamped(std::ceil(hi) - 1);
  if (lo == hi && lo == std::floor(lo)) first = last = clamped(toward[axis] > 0 ? lo : lo - 1);  // in a grid plane
  Polygon rest = polygon, below, above;
  for (int slab = first; slab < last; ++slab) {
    split(rest, axis, slab + 1, below, above);
    cell[axis] = slab;
    cut_axis(below, axis + 1, n, toward, cell, emit);
    rest = above;
  }
  cell[axis] = last;
  cut_axis(rest, axis + 1, n, toward, cell, emit);
}

}  // namespace clip_detail

template <class Emit>
void clip_to_cells(const std::array<Vec3, 3>& triangle, const Vec3i& n, double side, Emit&& emit) {
  clip_detail::Polygon polygon;
  for (const Vec3& p : triangle) polygon.push(p);
  const Vec3 toward = side * (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  Vec3i cell;
  clip_detail::cut_axis(polygon, 0, n, toward, cell, emit);
}

}  // namespace coracle
