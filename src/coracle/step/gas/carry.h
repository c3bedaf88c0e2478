// Carry smoke, heat and velocity along the gas: ∂f/∂t + u·∇f = 0, u free of divergence.
//
// semi-Lagrangian: f(x, t + Δt) = f(x − ∫u dt), the path by Runge–Kutta of order 2, trilinear between cells [Stam99].
// MacCormack [Selle08]: forward and back again shows the error, half of which is taken away:
//     f̂ = A f,  f̃ = A⁻¹ f̂,  f ← f̂ + ½ (f − f̃), kept within the values around the path's start, so that no new extremes
//     arise. Not beside sources, which set the same sharp edge again and again: the values that the limit takes away
//     on one side of it are not made up for on the other, and a third more smoke than the source gives would leave it.
// Paths end at solids: what is behind a sheet does not come through it. Beyond open sides the air is clean, at rest,
// and as warm as the surroundings; it comes in at right angles. By Bernoulli its pressure has fallen by ½ ρ u² when it
// passes the side at u. With p = 0 there that is what half of u leaves to be done: ρ u (u − ½ u). Came it in with all
// of u, nothing would be, and a draught through an open side would feed itself: 5 m/s became 18.
#pragma once

#include "coracle/world.h"

#include <array>
#include <cstdint>

namespace coracle {

struct Carrier {
  const Grid& grid;
  const FaceField<double>& u;      // m/s, known around solids as well
  const Array3<double>& wall_phi;  // m, < 0 in solids, those that blow gas left out
  double dt;
  GasAdvection how;
  std::array<bool, 6> open = {};                // sides of the domain
  const Array3<std::uint8_t>* plain = nullptr;  // cells whose scalars are not corrected
};

void carry_scalar(const Carrier& carrier, Array3<float>& f);
// out = u carried along itself.
void carry_velocity(const Carrier& carrier, FaceField<double>& out);

}  // namespace coracle
