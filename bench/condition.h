// Condition numbers κ = max |λ| / min |λ| of the three forms of a coupled system, estimated.
//
// Lanczos iteration on A gives the largest |λ|, on A⁻¹ the smallest. A solve by schur applies the inverse of every
// form: the indefinite form is the system itself; for the positive definite form, in the names of reference_forms.h,
//     A₃₃ (p, V/α) = (r₁, r₂)   ⇔   L_p p + U_p V = r₁ + U_p Z₂⁻¹ r₂/α,   B̃ V = Z₁ Z₂⁻¹ r₂/α + U_pᵀ p
// so nothing large is factorised.
#pragma once

#include "coracle/step/couple/reference_forms.h"
#include "coracle/step/grid/projection.h"

namespace coracle::bench {

inline constexpr const char* how_estimated =
    "log10_cond: |λ|max by Lanczos iteration, |λ|min by Lanczos iteration on the inverse, which a schur solve applies; "
    "to about 1 %";

struct Conditions {
  double indefinite = 0, spd = 0, schur = 0;  // log₁₀ κ
};

Conditions estimate_conditions(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure);

}  // namespace coracle::bench
