// Friction between two surfaces, smooth from stick to slip, as an energy with a lagged normal force [Li20].
//
//   D(x) = μ λ f0(|u|),   u = Tᵀ Σ w_i (x_i − x_iⁿ)
//
// λ is the normal force, T the two unit tangents and w the weights of the closest points, all of an earlier state. The
// force is μ λ f1(|u|) against u. Below the slip h ε_v in a step the surfaces stick: the force grows from 0 to μ λ.
// With f1 = f0' and f2 = f1', D is convex in x: f1/u > 0 and f2 ≥ 0.
#pragma once

#include "coracle/step/contact/contact_term.h"

#include <Eigen/Geometry>

#include <cmath>

namespace coracle {

using Tangents = Eigen::Matrix<double, 3, 2>;

// In all of these u ≥ 0 is the slip in the step, in m, and `stick` is h ε_v, in m; s = u / (h ε_v). Penalty contact
// takes velocities for both.

// f0 = ∫ f1 du = h ε_v (s² − s³/3) for s < 1, u − h ε_v / 3 beyond; f0(0) = 0
inline double friction_f0(double u, double stick) {
  const double s = u / stick;
  return s < 1 ? stick * s * s * (1 - s / 3) : u - stick / 3;
}

// f1 = 2 s − s² for s < 1, 1 beyond
inline double friction_f1(double u, double stick) {
  const double s = u / stick;
  return s < 1 ? (2 - s) * s : 1;
}

// f2 = (2 − 2 s) / (h ε_v) for s < 1, 0 beyond
inline double friction_f2(double u, double stick) {
  const double s = u / stick;
  return s < 1 ? 2 * (1 - s) / stick : 0;
}

// f1/u = (2 − s) / (h ε_v) for s < 1, 1/u beyond. It falls with u, so that ½ (f1(u*)/u*) u² + const lies above f0 and
// touches it at u*: the quadratic friction of a splitting.
inline double friction_f1_over_u(double u, double stick) {
  const double s = u / stick;
  return s < 1 ? (2 - s) / stick : 1 / u;
}

// A contact whose surfaces slide on each other.
struct SlidingContact {
  Weights weight = Weights::Zero();
  Tangents tangent = Tangents::Zero();  // T
  double grip = 0;                      // N, μ λ
  bool reverses = false;                // Newton's method has tried to reverse the slip: it is about to stick
};

// `normal_force` is −∂E/∂d of the contact's energy.
inline SlidingContact sliding_contact(const SimplexDistance& closest, double friction, double normal_force) {
  SlidingContact contact;
  contact.weight = closest.weight;
  contact.grip = friction * normal_force;
  const Vec3 n = closest.squared > 0 ? closest.difference.normalized() : Vec3::UnitY();
  contact.tangent.col(0) = n.unitOrthogonal();
  contact.tangent.col(1) = n.cross(contact.tangent.col(0));
  return contact;
}

// u of nodes that moved by `moved` since the start of the step.
inline Eigen::Vector2d slip(const SlidingContact& contact, const FourNodes& moved) {
  Vec3 relative = Vec3::Zero();
  for (int i = 0; i < 4; ++i) relative += contact.weight[i] * moved[i];
  return contact.tangent.transpose() * relative;
}

inline double friction_energy(const SlidingContact& contact, const FourNodes& moved, double stick) {
  return contact.grip * friction_f0(slip(contact, moved).norm(), stick);
}

// ∂D/∂x_i = w_i μλ (f1/u) T u,  ∂²D/∂x_i ∂x_j = w_i w_j μλ T [(f1/u) I + (f2 − f1/u) û ûᵀ] Tᵀ. The exact Hessian is
// positive semidefinite: its eigenvalues are those of the 2×2 matrix, f1/u and f2, times |w|².
//
// Beyond the slip h ε_v the force is constant, and Newton's method knows nothing of the turn at u = 0: it passes from
// one side to the other, and a line search must find the narrow range of sticking. There the projected Hessian takes
// f1/u for f2: the quadratic above, which goes straight to a slip near zero.
inline ContactTerm friction_term(const SlidingContact& contact, const FourNodes& moved, double stick, Hessian hessian,
                                 const FreeNodes& free = all_free) {
  const Eigen::Vector2d u = slip(contact, moved);
  const double size = u.norm(), slope = friction_f1_over_u(size, stick);
  ContactTerm term;
  term.energy = contact.grip * friction_f0(size, stick);
  const Vec3 force = contact.grip * slope * (contact.tangent * u);
  for (int i = 0; i < 4; ++i) term.gradient[i] = contact.weight[i] * force;
  if (hessian == Hessian::none) return term;
  Eigen::Matrix2d small = slope * Eigen::Matrix2d::Identity();
  if (size > 0 && !(hessian == Hessian::projected && contact.reverses))
    small += (friction_f2(size, stick) - slope) * (u / size) * (u / size).transpose();
  const Mat3 block = contact.grip * contact.tangent * small * contact.tangent.transpose();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (free[i] && free[j]) term.hessian.block<3, 3>(3 * i, 3 * j) = contact.weight[i] * contact.weight[j] * block;
  return term;
}

}  // namespace coracle
