// The angle between two triangles that share an edge, and its gradient.
//
// Edge ab, triangles abc and bad; with e = b − a, n₁ = e × (c − a), n₂ = (d − a) × e [Grinspun03]:
//     θ = atan2(|e| n₂·(c − a), n₁·n₂)
// θ is zero where the triangles lie in one plane, and positive where d is on the side to which n₁ points. Where they
// are folded onto each other, θ jumps from π to −π. For small deflections θ is the jump of the slope across the edge.
#pragma once

#include "coracle/types.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {

inline double dihedral_angle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 e = b - a, n1 = e.cross(c - a), n2 = (d - a).cross(e);
  return std::atan2(e.norm() * n2.dot(c - a), n1.dot(n2));
}

// ∂θ/∂a, ∂θ/∂b, ∂θ/∂c, ∂θ/∂d as columns. A tip that moves along its normal by δ turns its triangle by δ / height:
//     ∂θ/∂c = |e| n₁ / |n₁|²,     ∂θ/∂d = |e| n₂ / |n₂|²
// and the ends of the edge move the opposite way, with the barycentric weights of the feet of c and d. Heights count as
// at least `least_height` of the edge, so that the gradient of a collapsed triangle is finite.
inline Eigen::Matrix<double, 3, 4> dihedral_gradient(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  constexpr double least_height = 1e-8, tiny = std::numeric_limits<double>::min();
  const Vec3 e = b - a, n1 = e.cross(c - a), n2 = (d - a).cross(e);
  const double square = std::max(e.squaredNorm(), tiny), length = std::sqrt(square);
  const double least = std::max(least_height * least_height * square * square, tiny);
  Eigen::Matrix<double, 3, 4> g;
  g.col(2) = length / std::max(n1.squaredNorm(), least) * n1;
  g.col(3) = length / std::max(n2.squaredNorm(), least) * n2;
  const double at_c = (c - a).dot(e) / square, at_d = (d - a).dot(e) / square;  // weights of b
  g.col(0) = (at_c - 1) * g.col(2) + (at_d - 1) * g.col(3);
  g.col(1) = -at_c * g.col(2) - at_d * g.col(3);
  return g;
}

}  // namespace coracle
