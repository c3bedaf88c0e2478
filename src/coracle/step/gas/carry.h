// Advect smoke, heat and velocity with the gas: ∂f/∂t + u·∇f = 0, u free of divergence.
//
// semi-Lagrangian: f(x, t + Δt) = f(x − ∫u dt), the path by Runge–Kutta of order 2, trilinear between cells [Stam99].
// MacCormack [Selle08]: advecting forward and back shows the error, half of which is subtracted:
//     f̂ = A f,  f̃ = A⁻¹ f̂,  f ← f̂ + ½ (f − f̃), clamped to the values around the path's start, so that no new extremes
//     arise. Not beside sources, which set the same sharp edge in every step: the values that the clamp removes on one
//     side of the edge are not balanced on the other, and a third more smoke than the source gives would leave it.
// Paths end at solids: nothing passes through a thin sheet. Beyond open sides the air is clean, at rest, and as warm as
// the surroundings; it enters at right angles. By Bernoulli its pressure has fallen by ½ ρ u² when it passes the side
// at u. With p = 0 there, air that enters with half of u has that loss: ρ u (u − ½ u). With the full u there is no
// pressure loss, and a draught through an open side amplifies itself: 5 m/s became 18.
#pragma once

#include "coracle/world.h"

#include <array>
#include <cstdint>

namespace coracle {

struct Carrier {
  const Grid& grid;
  const FaceField<double>& u;      // m/s, extrapolated into solids
  const Array3<double>& wall_phi;  // m, < 0 in solids, without those that blow gas
  double dt;
  GasAdvection how;
  std::array<bool, 6> open = {};                // sides of the domain
  const Array3<std::uint8_t>* plain = nullptr;  // cells whose scalars are not corrected
};

void carry_scalar(const Carrier& carrier, Array3<float>& f);
// out = v advected.
void carry_velocity(const Carrier& carrier, const FaceField<double>& v, FaceField<double>& out);

}  // namespace coracle
