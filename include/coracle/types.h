// Vectors and matrices under the names of docs/notation.md.
#pragma once

#include <Eigen/Core>

#include <limits>

namespace coracle {

using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Vec3i = Eigen::Vector3i;
using Vec4i = Eigen::Vector4i;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat3f = Eigen::Matrix3f;
using Vec9 = Eigen::Matrix<double, 9, 1>;
using Mat9 = Eigen::Matrix<double, 9, 9>;

// An axis-aligned box. Infinite where the region is infinite; lo > hi if the region is empty.
struct Bounds {
  Vec3 lo = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 hi = Vec3::Constant(-std::numeric_limits<double>::infinity());

  bool contains(const Vec3& x) const { return (x.array() >= lo.array()).all() && (x.array() <= hi.array()).all(); }
  void extend(const Vec3& x) {
    lo = lo.cwiseMin(x);
    hi = hi.cwiseMax(x);
  }
};

}  // namespace coracle
