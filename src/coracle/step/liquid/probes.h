// Volume and velocity of the liquid, for probes.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/liquid_work.h"
#include "coracle/world/pose.h"

namespace coracle {

// m³, by the same rule as the volume of all the liquid (liquid/measure.h): cells well inside the liquid count with the
// room that solids leave in them, elsewhere particles are counted.
double volume_in_box(const World& world, const Liquid& liquid, const LiquidWork& work, const PosedBox& box);

// m/s at a point; zero outside the liquid.
template <class Faces, class Field>
CORACLE_BOTH Vec3 velocity_in(const Grid& grid, const Faces& u, const Field& phi, const Vec3& x) {
  const Vec3 q = grid.to_cells(x);
  return sample_cells(phi, q) < 0 ? sample_faces(u, q) : Vec3(Vec3::Zero());
}

}  // namespace coracle
