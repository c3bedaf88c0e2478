// Elastic forces and stiffness of shells: triangles with thickness t, each a membrane and a plate.
//
//     energy Σ_T A [ t ψ(F) + ½ κᵀ D κ ],   κ = Σ_h w_h (θ_h − θ̄_h),   D = D_b [1 ν 0; ν 1 0; 0 0 (1−ν)/2],
//     D_b = E t³ / (12 (1 − ν²))
//
// Membrane: linear triangles with one 3×2 deformation gradient F = Ds Dm⁻¹, and the fixed corotated energy ψ of plane
// stress (plane_stress.h). The option `material` is for solids; shells do not read it.
// Plate: κ is the change of curvature from the shape at rest, from the angles θ at the hinges around the triangle
// (world/make_shells.h says how and why); D is that of thin plates [TimoshenkoWoinowsky59 §10].
// t and D stay those of the shape at rest.
//
// Stiffness, for both kinds of linearisation: the membrane's, projected to positive semidefinite, and A (∂κ/∂x)ᵀ D
// (∂κ/∂x) for the plate, which leaves out D κ ∂²κ/∂x² (Gauss–Newton). It is positive semidefinite, and exact in the
// shape at rest, whether flat or curved. Energy and gradient are exact.
//
// A clamped edge: hold two rows of nodes. The plate is clamped midway between them, so a strip of length L that starts
// at the clamp has its first free row at half an edge, and its error is of second order in the edge.
//
// Limits. Flat triangles bend without stretch only along their edges; very thin shells on coarse irregular meshes are
// therefore too stiff where they bend much: by 4 % of the deflection at (edge)² × curvature = 30 t. θ jumps from π to
// −π where a hinge folds flat onto itself; contact must prevent that. Poisson's ratio must not be negative under large
// strain: then ψ has no lower bound.
//
// The functions of the kind Shells; elements.h says what each does.
#pragma once

#include "coracle/step/body/elements.h"
#include "coracle/step/body/plane_stress.h"

namespace coracle {

// F of one triangle.
Mat32 deformation(const Shells& shells, const std::vector<Vec3>& x, std::size_t tri);
// (κ₁₁ κ₂₂ 2κ₁₂) of every triangle, 1/m, less the curvature at rest, in the axes of the triangle.
std::vector<Vec3> curvature_change(const Shells& shells, const std::vector<Vec3>& x);
// Cauchy stress of the membrane, Pa, in space; the area ratio counts as at least `least_cauchy_volume` (stress.h).
Mat3 membrane_stress(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, std::size_t tri);

double elastic_energy(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x);
void add_elastic_gradient(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient);
void add_pairs(const Shells& shells, int first, NodePairs& pairs);
ElementSlots element_slots(const Shells& shells, int first, const BlockSolver& matrix);
void add_stiffness(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, Linearisation how,
                   double scale, int first, const ElementSlots& slots, BlockSolver& matrix);
void add_stiffness_times(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
