// Forces on gas besides pressure.
//
// Pressure is relative to that of the surroundings at rest, so gravity acts only on differences of density from the
// surroundings (Boussinesq):   a = g (w s − β T),   s smoke, T temperature above the surroundings.
// Vorticity confinement [FedkiwStamJensen01]: a = ε dx (N × ω), N = ∇|ω| / |∇|ω||, restores the vorticity that
// interpolation damps.
#pragma once

#include "coracle/world.h"

namespace coracle {

// u ← u + dt a.
void add_buoyancy(const Grid& grid, const GasOptions& options, const Vec3& gravity, const Gas& gas, double dt,
                  FaceField<double>& u);
// In cells that are at least half open.
void confine_vortices(const Grid& grid, double strength, const Array3<double>& volume, double dt, FaceField<double>& u);

}  // namespace coracle
