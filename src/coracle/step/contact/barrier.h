// The barrier that keeps surfaces apart, for a point and a triangle and for two edges [Li20].
//
//   b = −κ d̂ (y² − 1)² ln y²,  y = g / d̂,  g = d − ξ,  0 < g < d̂;   0 for g ≥ d̂,  ∞ for g ≤ 0
//
// with the distance d, the offset ξ, the gap g, the reach d̂, and κ in Pa. Surfaces that stand for something thick, the
// middle of a shell or the axis of a rod, touch at d = ξ, the sum of the half thicknesses of both. b is an energy per
// area, −db/dd a pressure. The caller multiplies κ by the area of the contact, in m², to have an energy.
//
// Below b is a function of s = d². With β(q) the same function of q = g²:
//
//   db/ds = (g/d) β',   d²b/ds² = (g² β'' + ½ (ξ/d) β') / s
//
// Two edges have the energy e(c) b(s). The mollifier e falls to zero as the edges become parallel, where the closest
// points jump along them: c = |e_a × e_b|², e = 1 for c ≥ ε, (2 − c/ε) c/ε below, ε = 10⁻³ |e_a|² |e_b|² at rest.
//
// Derivatives of s. With v = Σ w_i(t) x_i, s = min over t of |v|², where t are the k = 0, 1 or 2 slides of the closest
// feature. Choose t as lengths along orthonormal tangents q_1 … q_k, and n = v/d. Write z_i = Σ_k (∂w_i/∂t_k) q_k, and
// T = I − n nᵀ − Σ q_k q_kᵀ. Then
//
//   ∂s/∂x_i = 2 w_i v,   ½ ∂²s/∂x_i ∂x_j = w_i w_j (n nᵀ + T) − d (w_i z_j nᵀ + w_j n z_iᵀ) − d² (z_i · z_j) n nᵀ.
//
// Differs from the paper: these forms are ours. They hold for all features, keep forces and torques in balance to
// rounding, and reduce the projection to an eigenproblem of size 1, 3 or 5. Only mollified edges need size 9.
#pragma once

#include "coracle/step/contact/contact_term.h"

namespace coracle {

struct BarrierLaw {
  double kappa = 0;    // Pa, or N/m² × area of the contact
  double reach = 0;    // m, d̂
  double offset = 0;   // m, ξ
  double epsilon = 0;  // m⁴, of two edges, from mollifier_threshold(); 0: no mollifier
};

// b and its derivatives by s. Below q = 10⁻¹⁰⁰ d̂², b is infinite as well, because the derivatives would overflow.
struct BarrierValue {
  double value = 0, first = 0, second = 0;
};
BarrierValue barrier(const BarrierLaw& law, double s);
// −db/dd = κ [8 y (y² − 1) ln y + 2 (y² − 1)² / y]
double barrier_pressure(const BarrierLaw& law, double distance);

// e and its derivatives by c.
struct MollifierValue {
  double value = 1, first = 0, second = 0;
};
MollifierValue parallel_mollifier(double c, double epsilon);
// ε of two edges with these lengths at rest, in m.
double mollifier_threshold(double rest_a, double rest_b);

// Of four nodes and their closest points: e(c) b(s). Where the energy is infinite, the derivatives are left at zero.
double barrier_energy(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law);
ContactTerm barrier_term(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law, Hessian hessian,
                         const FreeNodes& free = all_free);
// −∂E/∂d of the closest points: e(c) times the pressure, in N if the law has the area.
double barrier_force(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law);

// The nearest positive semidefinite matrix. A matrix that is one already stays as it is.
void project_positive(Mat12& matrix);

}  // namespace coracle
