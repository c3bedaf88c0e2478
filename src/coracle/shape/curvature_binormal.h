// The bend of a chain at the node between two segments e and f, as a vector [Bergou08]:
//     b = 2 e × f / (|e| |f| + e·f)
// Its length is 2 tan(φ/2) with φ the angle by which the chain turns, its direction the axis of the turn. b is smooth
// for straight chains, b = 0. Where a chain folds onto itself b grows without bound. The denominator counts as at least
// `least_fold` |e| |f|, so that b is finite; within 1e-6 rad of the fold b is therefore too small.
#pragma once

#include "coracle/types.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>

namespace coracle {

struct Bend {
  Vec3 b;
  Mat3 by_e, by_f;  // ∂b/∂e, ∂b/∂f
};

inline Bend bend_of(const Vec3& e, const Vec3& f) {
  constexpr double least_fold = 1e-12, tiny = std::numeric_limits<double>::min();
  const auto cross = [](const Vec3& v) -> Mat3 {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
  };
  const double le = std::max(e.norm(), tiny), lf = std::max(f.norm(), tiny);
  const double below = std::max({le * lf + e.dot(f), least_fold * le * lf, tiny});
  Bend bend;
  bend.b = 2 / below * e.cross(f);
  // d(|e| |f| + e·f) = |f| (e/|e| + f/|f|)·de + |e| (e/|e| + f/|f|)·df
  const Vec3 tangents = e / le + f / lf;
  bend.by_e = (-2 * cross(f) - lf * bend.b * tangents.transpose()) / below;
  bend.by_f = (2 * cross(e) - le * bend.b * tangents.transpose()) / below;
  return bend;
}

}  // namespace coracle
