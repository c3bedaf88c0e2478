// Elastic energy of a membrane: density ψ(F), stress P = ∂ψ/∂F and stiffness ∂P/∂F of a 3×2 deformation gradient F,
// which takes the plane of a triangle at rest to space.
//
// Fixed corotated [StomakhinHowes12], in the plane: with σ₁ ≥ σ₂ ≥ 0 the stretches of F and J = σ₁ σ₂ the area ratio
//     ψ = μ Σ (σᵢ − 1)² + λ'/2 (J − 1)²,     μ = E / (2 (1 + ν)),   λ' = E ν / (1 − ν²)
// λ' is that of plane stress: the membrane is free to get thinner. So small strains give E and ν.
//
// Why this one: energy and stress are finite for every F, and a triangle that is squeezed to a line is pushed open with
// −∂ψ/∂σ₂ = 2μ + λ' σ₁. St. Venant–Kirchhoff lets go of it, a logarithm of J is infinite. Under tension the width stays
// positive, (2μ + λ' σ₁) / (2μ + λ' σ₁²); it would be negative with λ'/2 (σ₁ + σ₂ − 2)². There is no inversion: a
// triangle in space has no wrong side.
#pragma once

#include "coracle/types.h"

namespace coracle {

using Mat32 = Eigen::Matrix<double, 3, 2>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// Lamé's parameters of plane stress, Pa.
struct PlaneLame {
  double mu, lambda;
};
PlaneLame plane_lame(double young, double poisson);

// F = U diag(σ) Vᵀ for every finite F, also where triangles have no area: U is a rotation; its third column is the
// normal.
struct Stretches {
  Mat3 u;
  Mat2 v;
  double sigma[2];  // σ₁ ≥ σ₂ ≥ 0
};
Stretches stretches(const Mat32& f);

double energy_density(const PlaneLame& lame, const Mat32& f);  // J/m³
Mat32 first_piola(const PlaneLame& lame, const Mat32& f);      // Pa
// ∂ vec P / ∂ vec F, Pa, with the columns of P and F stacked: the nearest positive semidefinite matrix.
Mat6 piola_derivative(const PlaneLame& lame, const Mat32& f);

}  // namespace coracle
