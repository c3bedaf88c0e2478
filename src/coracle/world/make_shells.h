// Makes shells from triangles: membranes, hinges, and the weights that turn angles at hinges into curvature.
//
// Curvature of a triangle [Morley71]: the plate is a quadratic with the constant curvature
//     κ = 1/A Σ_e l_e φ_e n_e n_eᵀ
// with l_e, n_e the length and the outward normal of side e in the plane of the triangle, and φ_e the slope of the
// plate at the middle of side e beyond the slope of the flat triangle. Both triangles of an edge must see the same
// slope there: then a uniform bending moment is in equilibrium on every mesh. So φ_e of the one is θ_e minus φ_e of the
// other, with θ_e the angle between the triangles. [Morley71] has the slope as an unknown of its own. Here it is found
// from angles:
//     φ_e = h θ_e / (h + h') + c·κ̂
// The first term shares the angle by the heights h, h' of the two triangles [OnateZarate00]; this is exact where the
// line between the tips passes through the middle of the edge. The second term is what it misses of a plate with
// curvature κ̂; κ̂ is the least-squares fit to the angles of all (up to five) hinges of the two triangles.
// So slopes are exact for every quadratic plate on every mesh. A triangle depends on up to nine hinges and twelve
// nodes.
//
// A side without a neighbour is free: its slope is the one with the least energy, which makes the moment there zero.
//
// For small deflections this energy is never below that of [Morley71], which chooses the slopes of least energy; so no
// mode is free but rigid motion. Measured: a cantilever and a clamped disc converge with second order on irregular
// meshes (shells_test). Differs from other plates of hinges: k (θ − θ̄)² per hinge [Grinspun03] is off by 20 %, and
// never converges: on a lattice of equilateral triangles it is a plate with a Poisson's ratio of −1/3. The quadratic
// through the six nodes of a triangle and its neighbours is off by 5 to 50 %, because the slopes of neighbours differ.
//
// Curved shells: angles count from those at rest, and the geometry is that of the neighbours unfolded into one plane.
#pragma once

#include "coracle/body.h"

#include <vector>

namespace coracle {

// Poisson's ratio is needed for free sides. Throws std::runtime_error with a reason if a triangle has no area, an edge
// has more than two triangles, or its two are oriented in opposite ways or folded onto each other.
Shells make_shells(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris, double poisson);

// A third of ρ t A to each corner, kg, per node.
std::vector<double> lumped_mass(const Shells& shells, std::size_t nodes, const BodyOptions& options);

}  // namespace coracle
