// The tetrahedron with ten nodes: four corners, then the middles of its six edges, in the order of VTK's files.
#pragma once

#include "coracle/types.h"

#include <array>

namespace coracle {

inline constexpr int quadratic_edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

// Barycentric coordinates of a node.
inline Eigen::Vector4d barycentric_of_node(int node) {
  Eigen::Vector4d at = Eigen::Vector4d::Zero();
  if (node < 4)
    at[node] = 1;
  else
    at[quadratic_edges[node - 4][0]] = at[quadratic_edges[node - 4][1]] = 0.5;
  return at;
}

// The shape functions: λᵢ (2λᵢ − 1) at corners, 4 λᵢ λⱼ at the middles of edges.
inline std::array<double, 10> quadratic_shape(const Eigen::Vector4d& at) {
  std::array<double, 10> n{};
  for (int c = 0; c < 4; ++c) n[c] = at[c] * (2 * at[c] - 1);
  for (int e = 0; e < 6; ++e) n[4 + e] = 4 * at[quadratic_edges[e][0]] * at[quadratic_edges[e][1]];
  return n;
}

}  // namespace coracle
