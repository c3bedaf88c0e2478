// Vectors and matrices under the names of docs/notation.md.
#pragma once

#include <Eigen/Core>

namespace coracle {

using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Vec3i = Eigen::Vector3i;
using Vec4i = Eigen::Vector4i;
using Mat3 = Eigen::Matrix3d;
using Mat3f = Eigen::Matrix3f;
using Vec9 = Eigen::Matrix<double, 9, 1>;
using Mat9 = Eigen::Matrix<double, 9, 9>;

}  // namespace coracle
