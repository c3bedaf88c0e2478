// Distance between a point and a triangle, and between two edges, as functions of four nodes.
//
// The closest points are weighted means of the nodes. Their difference is v = Σ w_i x_i, the squared distance s = |v|².
// Along the directions in which the closest points can slide on the closest feature, s is stationary; barrier.h takes
// the derivatives of s from that.
//
// Every finite input has a finite answer: triangles without area and edges without length count as their sides and
// ends.
#pragma once

#include "coracle/types.h"

#include <array>
#include <cstdint>

namespace coracle {

using FourNodes = std::array<Vec3, 4>;
using Weights = Eigen::Vector4d;  // of the four nodes

enum class ClosestFeature : std::uint8_t {
  // Nodes p, a, b, c: the part of triangle abc that is closest to p.
  corner_a,
  corner_b,
  corner_c,
  side_ab,
  side_bc,
  side_ca,
  face,
  // Nodes a0, a1, b0, b1: the parts of edges a0 a1 and b0 b1 that are closest to each other.
  a0_b0,
  a0_b1,
  a1_b0,
  a1_b1,
  a0_on_b,
  a1_on_b,
  b0_on_a,
  b1_on_a,
  lines,
};

struct SimplexDistance {
  double squared = 0;                // m²
  Weights weight = Weights::Zero();  // they add up to 0; p or edge a has weights ≥ 0, the triangle or edge b ≤ 0
  Vec3 difference = Vec3::Zero();    // Σ w_i x_i, towards p or edge a
  ClosestFeature feature = ClosestFeature::face;
};

// Nodes p, a, b, c.
SimplexDistance point_triangle_distance(const FourNodes& x);
// Nodes a0, a1, b0, b1.
SimplexDistance edge_edge_distance(const FourNodes& x);

// One direction in which the closest points slide: the weights change by +1 at node `plus` and by −1 at node `minus`.
struct Slide {
  int plus, minus;
};
struct Slides {
  int count = 0;  // 0: both closest points are nodes; 1: one slides on a line; 2: on a plane, or on two lines
  std::array<Slide, 2> slide{};
};
Slides slides_of(ClosestFeature feature);

}  // namespace coracle
