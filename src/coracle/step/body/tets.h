// Elastic forces and stiffness of tetrahedra. Linear elements, one deformation gradient each:
//     F = Ds Dm⁻¹,   energy Σ V ψ(F),   force on node a: −V P(F) ∇N_a,   stiffness V ∇Nᵀ (∂P/∂F) ∇N.
// The functions of the kind Tets; elements.h says what each does.
#pragma once

#include "coracle/step/body/elements.h"

namespace coracle {

// F of one tet.
Mat3 deformation(const Tets& tets, const std::vector<Vec3>& x, std::size_t tet);

double elastic_energy(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x);
void add_elastic_gradient(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient);
void add_pairs(const Tets& tets, int first, NodePairs& pairs);
ElementSlots element_slots(const Tets& tets, int first, const BlockSolver& matrix);
void add_stiffness(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, Linearisation how, double scale,
                   int first, const ElementSlots& slots, BlockSolver& matrix);
void add_stiffness_times(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
