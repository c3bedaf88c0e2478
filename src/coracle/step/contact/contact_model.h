// A quadratic model of contact in the bodies' equation of motion: the Taylor series of contact energies about the start
// of a step [Xie23 eq. 5.5]. With δ the displacements over the step:
//     Ĉ(δ) = Σ over contacts of g·δ + ½ δᵀ H δ
#pragma once

#include "coracle/solve/block_solver.h"
#include "coracle/step/contact/contact_term.h"

#include <array>
#include <utility>
#include <vector>

namespace coracle {

struct ModelTerm {
  std::array<int, 4> node{-1, -1, -1, -1};                                     // −1: none
  FourNodes gradient{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // N
  Mat12 hessian = Mat12::Zero();                                               // N/m
};
using ContactModel = std::vector<ModelTerm>;

// For nodes that move by dt v. The part of the potential in v is Ĉ / dt, so that its gradient is the force.
std::vector<std::pair<int, int>> pairs(const ContactModel& model);
void add_blocks(const ContactModel& model, double dt, BlockSolver& matrix);
void add_residual(const ContactModel& model, double dt, const std::vector<Vec3>& v, std::vector<Vec3>& r);
double potential(const ContactModel& model, double dt, const std::vector<Vec3>& v);

}  // namespace coracle
