#include "coracle/shape/distance.h"

#include "coracle/shape/closest.h"
#include "coracle/shape/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {
namespace {

// Distance to a box (or, in two dimensions, to a rectangle) from q = |x| − half its size.
template <class V>
double box_distance(const V& q) {
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

// The minimum of a and b, smoothed by a parabola that is continuous in value and slope where |a − b| = blend; at most
// blend/4 below the minimum.
double smooth_min(double a, double b, double blend) {
  const double h = std::max(blend - std::abs(a - b), 0.0);
  return std::min(a, b) - h * h / (4 * blend);
}

}  // namespace

ShapeDistance::ShapeDistance(const ShapeOptions& shape)
    : shape_(shape), to_local_(rotation_xyz(shape.rotate).transpose()), axis_(shape.axis.normalized()) {
  for (const ShapeOptions& part : shape.parts) parts_.emplace_back(part);
  shape_.parts.clear();
  if (shape.kind == ShapeKind::mesh) {
    const TriMesh mesh = shape_mesh(shape, 1);
    tree_ = std::make_shared<const TriTree>(mesh.x, mesh.tris);
  }
}

double ShapeDistance::operator()(const Vec3& x) const {
  const ShapeOptions& s = shape_;
  const Vec3 d = to_local_ * (x - s.center);
  const double along = d.dot(axis_), around = (d - along * axis_).norm();
  double result = std::numeric_limits<double>::infinity();
  switch (s.kind) {
    case ShapeKind::box:
      return box_distance(Vec3(d.cwiseAbs() - 0.5 * s.size));
    case ShapeKind::sphere:
      return d.norm() - s.radius;
    case ShapeKind::hollow_sphere:
      return std::abs(d.norm() - (s.radius - 0.5 * s.thickness)) - 0.5 * s.thickness;
    case ShapeKind::cylinder:
      return box_distance(Eigen::Vector2d(around - s.radius, std::abs(along) - 0.5 * s.height));
    case ShapeKind::torus:
      return std::hypot(around - s.radius, along) - s.tube;
    case ShapeKind::half_space:
      return (x - s.point).dot(s.normal.normalized());
    case ShapeKind::mesh:
      return tree_->closest(x).distance;
    case ShapeKind::union_of:
      for (const ShapeDistance& part : parts_) result = std::min(result, part(x));
      return result;
    case ShapeKind::smooth_union:
      for (const ShapeDistance& part : parts_)
        result = &part == parts_.data() ? part(x) : smooth_min(result, part(x), s.blend);
      return result;
    case ShapeKind::difference:
      for (const ShapeDistance& part : parts_) result = &part == parts_.data() ? part(x) : std::max(result, -part(x));
      return result;
    case ShapeKind::intersection:
      for (const ShapeDistance& part : parts_) result = &part == parts_.data() ? part(x) : std::max(result, part(x));
      return result;
    case ShapeKind::rectangle:
    case ShapeKind::net:
    case ShapeKind::line:
      return result;
  }
  return result;
}

double blend_reach(const ShapeOptions& shape) {
  // If the parts so far reach d blends beyond the union, the next adds at most (1 − d)² / 4: never above 1 in total.
  return shape.parts.empty() ? 0 : std::min(0.25 * double(shape.parts.size() - 1), 1.0) * shape.blend;
}

}  // namespace coracle
