// Rotation and stretch of a deformation gradient F, for every finite F: also flat, inverted and zero.
//
//     F = U diag(σ) Vᵀ = R S,     R = U Vᵀ,  S = V diag(σ) Vᵀ
//
// U, V and R are rotations. The sign of det F sits in the stretch that is smallest in magnitude: an inverted element is
// pushed back through its thinnest side [IrvingTeranFedkiw04]. R is the rotation nearest to F; it is unique, and
// continuous in F, where σ₁ + σ₂ > 0. Where F has only one stretch (or none), R is the smallest rotation that agrees
// with F.
#pragma once

#include "coracle/types.h"

namespace coracle {

struct RotationSvd {
  Mat3 u, v;
  Vec3 sigma;  // σ₀ ≥ σ₁ ≥ |σ₂|; σ₂ has the sign of det F
};
RotationSvd rotation_svd(const Mat3& f);

struct Polar {
  Mat3 r, s;
};
Polar polar(const Mat3& f);

}  // namespace coracle
