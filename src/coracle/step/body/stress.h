// What a deformed body feels, for files and figures; the step itself needs none of it.
//
// Cauchy's stress, force over area as they are now: σ = P Fᵀ / J, with P the stress of the material (material.h).
// Von Mises' measure of it: √(3/2) ‖σ − tr σ / 3‖, the pull that is as bad as σ in a bar that is only pulled.
//
// Flat and inverted tets: σ is divided by max(|J|, least_cauchy_volume), so that it is finite. A tet that is turned
// inside out shows the stress of its size, not of its sign.
//
// Elements are linear: F and σ are constant in a tet and jump between them. A node's value is the mean over its tets,
// weighted by their volumes at rest.
#pragma once

#include "coracle/body.h"
#include "coracle/step/body/material.h"

#include <vector>

namespace coracle {

// Below it a tet has no stress worth a number, but a picture must still have a scale.
inline constexpr double least_cauchy_volume = 1e-3;

Mat3 cauchy_stress(MaterialModel model, const Lame& lame, const Mat3& f);  // Pa
double von_mises(const Mat3& stress);                                      // Pa

struct VonMises {
  std::vector<double> tets, nodes;  // Pa
};
VonMises von_mises(const Body& body);

// 6√2 V / ℓ³ with ℓ the root mean square of the edges: 1 for the regular tet, 0 for a flat one, negative for an
// inverted one.
double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
// Of the worst tet as it is now.
double least_quality(const Body& body);

}  // namespace coracle
