// Velocity beyond the fluid's faces, for the paths of the next step.
#pragma once

#include "coracle/step/grid/solid_field.h"

#include <cstdint>
#include <vector>

namespace coracle {

// Give every face within `layers` of a valid one the mean of its valid neighbours, layer by layer; others become zero.
void extrapolate(int layers, FaceField<double>& u, FaceField<std::uint8_t>& valid);
// The same for several fields that are valid on the same faces.
void extrapolate(int layers, const std::vector<FaceField<double>*>& fields, FaceField<std::uint8_t>& valid);
// The same for values at cell centres.
void extrapolate(int layers, Array3<float>& f, Array3<std::uint8_t>& valid);

// Inside solids keep the extrapolated tangential velocity and take the solid's normal velocity
// [Houston03, Rasmussen04]: liquid slides along the true surface and does not enter. Faces in `fixed` are left alone.
void constrain(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
               const FaceField<std::uint8_t>& fixed, FaceField<double>& u);

}  // namespace coracle
