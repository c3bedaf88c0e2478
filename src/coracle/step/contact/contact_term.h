// What one contact of four nodes adds to the energy that a step minimises.
#pragma once

#include "coracle/shape/simplex_distance.h"

namespace coracle {

using Mat12 = Eigen::Matrix<double, 12, 12>;

enum class Hessian {
  none,
  exact,
  projected,  // the nearest positive semidefinite matrix, over the free nodes
};

// Nodes that move freely. The others are prescribed: their rows and columns of the Hessian are zero.
using FreeNodes = std::array<bool, 4>;
inline constexpr FreeNodes all_free{true, true, true, true};

struct ContactTerm {
  double energy = 0;
  FourNodes gradient{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // of all nodes, free or not
  Mat12 hessian = Mat12::Zero();                                               // block (i, j) at row 3 i, column 3 j
};

}  // namespace coracle
