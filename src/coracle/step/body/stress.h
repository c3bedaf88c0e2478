// Stress and element quality of a deformed body, for files and plots; the step itself does not need them.
//
// Cauchy stress, present force per present area: σ = P Fᵀ / J, with P the stress of the material (material.h) and of
// the muscles that pull (muscles.h). Von Mises stress: √(3/2) ‖σ − tr σ / 3‖. In a bar under tension alone it equals
// the tension.
//
// Flat and inverted tets: σ is divided by max(|J|, least_cauchy_volume), so that it is finite. The sign of J is
// ignored for inverted tets.
//
// In linear tets F and σ are constant and jump between tets; in quadratic ones F is linear. Shells: the stress of the
// membrane, without bending; rods: the absolute value of the axial stress. A node's value is the mean over its
// elements, weighted by their volumes, areas or lengths at rest.
#pragma once

#include "coracle/body.h"
#include "coracle/step/body/material.h"

#include <string>
#include <vector>

namespace coracle {

// J below which the stress of a tet means nothing, but pictures still need a finite scale.
inline constexpr double least_cauchy_volume = 1e-3;

Mat3 cauchy_stress(MaterialModel model, const Lame& lame, const Mat3& f);  // Pa
double von_mises(const Mat3& stress);                                      // Pa

struct VonMises {
  std::vector<double> elements, nodes;  // Pa
};
VonMises von_mises(const Body& body);

// 6√2 V / ℓ³ with ℓ the root mean square of the edges: 1 for the regular tet, 0 for a flat one, negative for an
// inverted one.
double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
// The element of least quality, with the nodes of the body at x. Quality of a triangle of a shell: 4√3 A / Σ l²; of a
// segment of a rod: its length over that at rest, at most 1.
struct WorstElement {
  double quality = 1;
  std::size_t element = 0;
  Vec3 center = Vec3::Zero();
};
WorstElement worst_element(const Body& body, const std::vector<Vec3>& x);
double least_quality(const Body& body);  // in its present shape
// "element 12 of 'torus' near (0.1, 0.2, 0.3)": the worst one.
std::string name_worst_element(const Body& body, const std::vector<Vec3>& x);
// Why a step that ends at x cannot be taken.
std::string inversion_text(const Body& body, const std::vector<Vec3>& x, bool newton);

}  // namespace coracle
