// Regions (region.h) for kernels: shapes of shapes without calls of a function by itself.
#pragma once

#include "coracle/both.h"
#include "coracle/shape/closest.h"
#include "coracle/shapes.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace coracle {

// A shape without parts, with the fields of ShapeOptions that it needs.
struct ShapeView {
  ShapeKind kind = ShapeKind::box;
  Vec3 center = Vec3::Zero(), size = Vec3::Zero(), point = Vec3::Zero(), normal = Vec3::Zero();
  double radius = 0, height = 0, tube = 0, thickness = 0;
};

// Whether a shape without parts contains x. Shape: ShapeOptions or ShapeView. `axis`: unit, of a turned cylinder or
// torus; bounds and tree: of a mesh.
template <class Shape>
CORACLE_BOTH bool shape_contains(const Shape& s, const Mat3& to_local, const Vec3& axis, const Bounds& bounds,
                                 const TreeView& tree, const Vec3& x) {
  const Vec3 d = x - s.center;
  switch (s.kind) {
    case ShapeKind::box:
      return ((to_local * d).array().abs() <= 0.5 * s.size.array()).all();
    case ShapeKind::sphere:
      return d.squaredNorm() <= s.radius * s.radius;
    case ShapeKind::cylinder: {
      const double along = d.dot(axis);
      return std::abs(along) <= 0.5 * s.height && (d - along * axis).squaredNorm() <= s.radius * s.radius;
    }
    case ShapeKind::torus: {
      const double along = d.dot(axis);
      const double out = (d - along * axis).norm() - s.radius;
      return out * out + along * along <= s.tube * s.tube;
    }
    case ShapeKind::hollow_sphere:
      return d.norm() <= s.radius && d.norm() >= s.radius - s.thickness;
    case ShapeKind::half_space:
      return (x - s.point).dot(s.normal) <= 0;
    case ShapeKind::mesh:
      return (x.array() >= bounds.lo.array()).all() && (x.array() <= bounds.hi.array()).all() &&
             tree.closest(x, std::numeric_limits<double>::infinity()).distance < 0;
    default:
      return false;  // those without volume; those with parts
  }
}

// A region as a list of steps: a shape says whether it contains x, the others join the last two answers.
struct RegionStep {
  enum Kind { shape, either, both, without };
  Kind kind = shape;
  ShapeView view;
  Mat3 to_local = Mat3::Identity();
  Vec3 axis = Vec3::UnitY();
  Bounds bounds;
  TreeView tree;  // of a mesh; it belongs to the region
};

// Whether the region of these steps contains x. At most 64 answers wait at a time (Region::steps sees to it).
CORACLE_BOTH inline bool steps_contain(const RegionStep* steps, int count, const Vec3& x) {
  std::uint64_t answers = 0;  // the last one in the lowest bit
  for (int i = 0; i < count; ++i) {
    const RegionStep& s = steps[i];
    if (s.kind == RegionStep::shape) {
      answers = answers << 1 | std::uint64_t(shape_contains(s.view, s.to_local, s.axis, s.bounds, s.tree, x));
      continue;
    }
    const bool last = answers & 1, before = answers >> 1 & 1;
    const bool joined = s.kind == RegionStep::either ? before || last
                        : s.kind == RegionStep::both ? before && last
                                                     : before && !last;
    answers = (answers >> 2) << 1 | std::uint64_t(joined);
  }
  return answers & 1;
}

}  // namespace coracle
