// Carry smoke, heat and velocity along the gas: ∂f/∂t + u·∇f = 0, u free of divergence.
//
// semi-Lagrangian: f(x, t + Δt) = f(x − ∫u dt), the path by Runge–Kutta of order 2, trilinear between cells [Stam99].
// MacCormack [Selle08]: forward and back again shows the error, half of which is taken away:
//     f̂ = A f,  f̃ = A⁻¹ f̂,  f ← f̂ + ½ (f − f̃), kept within the values around the path's start, so that no new extremes
//     arise. Not beside sources, which set the same sharp edge again and again: the values that the limit takes away
//     on one side of it are not made up for on the other, and a third more smoke than the source gives would leave it.
// Paths end at solids: what is behind a sheet does not come through it. Beyond open sides the air is clean and still
// warm as the surroundings; velocity there is that at the side.
#pragma once

#include "coracle/world/world.h"

namespace coracle {

struct Carrier {
  const Grid& grid;
  const FaceField<double>& u;      // m/s, known around solids as well
  const Array3<double>& wall_phi;  // m, < 0 in solids, those that blow gas left out
  double dt;
  GasAdvection how;
  const Array3<std::uint8_t>* plain = nullptr;  // cells whose scalars are not corrected
};

void carry_scalar(const Carrier& carrier, Array3<float>& f);
// out = u carried along itself.
void carry_velocity(const Carrier& carrier, FaceField<double>& out);

}  // namespace coracle
