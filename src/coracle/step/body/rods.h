// Elastic forces and stiffness of rods with a round section of radius r: stretch of segments, and bending between
// segments that continue each other.
//
//     energy Σ_segments E π r² (ℓ/L − 1)² L / 2  +  Σ_bends E I / (2 L̄) [ |b|² + b̄² − 2 b̄ s(|b|) ],   I = π r⁴ / 4
//
// b is the curvature binormal times length, |b| = 2 tan(φ/2) with φ the turn at the node (shape/curvature_binormal.h),
// L̄ half the length of the two segments [Bergou08]. Straight rods, b̄ = 0: E I |b|² / (2 L̄), smooth at φ = 0.
//
// Natural bend b̄ > 0, the bend at rest: s(|b|) = |b|, so the energy is E I (|b| − b̄)² / (2 L̄). There is no frame and no
// twist: sections turn freely about the axis, so at each node the rod prefers an amount of bend, in whatever direction.
// An arc resists opening and closing; but nothing keeps it in its plane, and an S costs no more than a C. That is a rod
// of zero torsional stiffness. (|b| − b̄)² has a peak without a derivative at b = 0: for |b| < δ = b̄/2, s is
// δ (3/8 + 3/4 q − 1/8 q²) with q = |b|²/δ², which makes the energy twice continuously differentiable.
//
// Stiffness, for both kinds of linearisation: stretch with compression's negative part dropped; bending by
// (∂b/∂x)ᵀ H (∂b/∂x), H the positive part of the second derivative by b; ∂²b/∂x² is left out (Gauss–Newton). It is
// positive semidefinite, and exact at rest. Energy and gradient are exact.
//
// A clamped end: hold two nodes. The rod is clamped midway between them; then the error is of second order.
//
// The functions of the kind Rods; elements.h says what each does.
#pragma once

#include "coracle/step/body/elements.h"

namespace coracle {

// E (ℓ/L − 1), Pa, per segment; positive under tension.
std::vector<double> axial_stress(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x);

double elastic_energy(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x);
void add_elastic_gradient(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient);
void add_pairs(const Rods& rods, int first, NodePairs& pairs);
ElementSlots element_slots(const Rods& rods, int first, const BlockSolver& matrix);
void add_stiffness(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, Linearisation how, double scale,
                   int first, const ElementSlots& slots, BlockSolver& matrix);
void add_stiffness_times(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
