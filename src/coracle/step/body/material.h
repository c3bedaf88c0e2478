// Elastic energies of a solid: density ψ(F), stress P = ∂ψ/∂F and stiffness ∂P/∂F of a deformation gradient F.
//
// With F = R S (polar.h), J = det F, I = tr FᵀF, E = ½ (FᵀF − 1):
//     corotational          μ ‖S − 1‖² + λ/2 tr²(S − 1)                        [MullerGross04; ZarifiBatty17 §4]
//     St. Venant–Kirchhoff  μ ‖E‖² + λ/2 tr²E                                  [Chentanez06 §3.2]
//     fixed corotated       μ ‖F − R‖² + λ/2 (J − 1)²                          [StomakhinHowes12]
//     stable neo-Hookean    μ' / 2 (I − 3 − log((I + 1) / 4)) + λ' / 2 (J − 1)² − μ (J − 1)      [SmithGoesKim18]
//     neo-Hookean           μ / 2 (I − 3) − μ log J + λ / 2 log² J             [Xie23 eq. 3.6]
// All are zero and without stress at F = 1, and turn into linear elasticity with Lamé's μ and λ for small strains; for
// that the stable neo-Hookean solid has μ' = 4/3 μ, λ' = λ + 5/6 μ.
//
// Inverted elements (J < 0): St. Venant–Kirchhoff is at rest in its mirror image and softens when compressed; the
// corotational pair has a kink where σ₁ + σ₂ = 0, with finite values there; stable neo-Hookean is smooth for every F.
// Neo-Hookean is infinite for J ≤ 0, and a line search must avoid it. Its derivatives there are still finite:
// log J and its derivatives are taken at J = least_volume, so the stress still points out of the inversion.
//
// Differs from the paper: [SmithGoesKim18] writes λ'/2 (J − α)²; here the square is expanded and the constant dropped,
// so that the energy is zero at rest and accurate near it.
#pragma once

#include "coracle/scene.h"
#include "coracle/types.h"

namespace coracle {

inline constexpr double least_volume = 1e-10;  // least J in the neo-Hookean derivatives; squares stay finite

// Lamé's parameters, Pa, from Young's modulus, Pa, and Poisson's ratio in (−1, ½).
struct Lame {
  double mu, lambda;
};
Lame lame(double young, double poisson);

double energy_density(MaterialModel model, const Lame& lame, const Mat3& f);  // J/m³
Mat3 first_piola(MaterialModel model, const Lame& lame, const Mat3& f);       // Pa

// ∂ vec P / ∂ vec F, Pa, with the columns of P and F stacked; symmetric to the last bit. `psd`: the nearest positive
// semidefinite matrix.
Mat9 piola_derivative(MaterialModel model, const Lame& lame, const Mat3& f, bool psd);

// Dilatation θ: tr S − 3 of the corotational solid, tr E of St. Venant–Kirchhoff's, J − 1 of the others.
double dilatation(MaterialModel model, const Mat3& f);
Mat3 dilatation_gradient(MaterialModel model, const Mat3& f);  // ∂θ/∂F

// The part of the energy that belongs to a share λ of Lamé's second parameter, as a function of θ alone:
// U = λ/2 θ²; neo-Hookean: λ/2 log²(1 + θ). With its derivatives, Pa.
struct MeanVolume {
  double energy = 0, first = 0, second = 0;
};
MeanVolume mean_volume(MaterialModel model, double lambda, double dilatation);

// As above, with pressure × ∂²θ/∂F² added before the projection.
Mat9 piola_derivative(MaterialModel model, const Lame& lame, const Mat3& f, bool psd, double pressure);

// dP = R (2μ sym(Rᵀ dF) + λ tr(Rᵀ dF) 1): linear elasticity warped by a rotation that is held fixed [MullerGross04].
// Positive semidefinite; equal to the corotational stiffness without the derivative of R.
Mat9 warped_stiffness(const Lame& lame, const Mat3& r);

}  // namespace coracle
