// Probes of a liquid that particles and a level set describe.
#pragma once

#include "coracle/body.h"
#include "coracle/step/particles/cells.h"

namespace coracle {

// Length of the part of a line that lies in liquid, m.
double wet_length(const Grid& grid, const Array3<double>& phi, const Vec3& from, const Vec3& to);

// Particles, in the order of `start`, that are not inside the outer surface of a body.
std::size_t count_outside(const Body& body, const Grid& grid, const std::vector<Vec3>& x, const CellStart& start);

}  // namespace coracle
