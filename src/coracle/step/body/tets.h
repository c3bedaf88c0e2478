// Elastic forces and stiffness of a body's tetrahedra. Linear elements, one deformation gradient each:
//     F = Ds Dm⁻¹,   energy Σ V ψ(F),   force on node a: −V P(F) ∇N_a,   stiffness V ∇Nᵀ (∂P/∂F) ∇N.
#pragma once

#include "coracle/body.h"
#include "coracle/solve/block_solver.h"

namespace coracle {

// How the stiffness is taken.
enum class Linearisation {
  warped,    // rotations frozen, as in [MullerGross04]: positive semidefinite by itself; corotational only
  projected  // exact, each element's part projected to positive semidefinite
};

// F of one tet.
Mat3 deformation(const Body& body, const std::vector<Vec3>& x, std::size_t tet);

double elastic_energy(const Body& body, const std::vector<Vec3>& x);

// f ← f + ∂(energy)/∂x at `first` + node: the negative of the elastic force.
void add_elastic_gradient(const Body& body, const std::vector<Vec3>& x, int first, std::vector<Vec3>& gradient);

// Where the blocks of a body's elements stand in the matrix: six a tet, for the pairs 01 02 03 12 13 23.
using ElementSlots = std::vector<BlockSolver::Slot>;
ElementSlots element_slots(const Body& body, int first, const BlockSolver& matrix);

// B ← B + scale K(x).
void add_stiffness(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                   const ElementSlots& slots, BlockSolver& matrix);

// y ← y + scale K(x) w, without a matrix.
void add_stiffness_times(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                         const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
