// The paper's own two forms of the coupled system as sparse matrices, in its variables: p in Pa and V = c δ in m/s, so
// that α has the paper's meaning. From equations.h, with p = q ρ dx / Δt and κ q = dx² p:
//     L_p p + U_p V = g,   B̃ V = b + U_pᵀ p;     L_p = (dx Δt / ρ) L,  U_p = dx² U,  g = dx² rhs,  B̃ = B / c
//     indefinite   [ZarifiBatty17 eq. 19]       ( L_p   U_p ) (p)   ( g )
//                                               ( U_pᵀ  −B̃  ) (V) = (−b )
//     spd          [ZarifiBatty17 eqs. 28–33]   B̃ = Z₁ + Z₂,  Z₁ = σ (1/Δt + τ_m) M / c
//                  ( L_p + U_p Z₁⁻¹ U_pᵀ    −α U_p Z₁⁻¹ Z₂       ) ( p )   ( g − U_p Z₁⁻¹ b )
//                  ( −α Z₂ Z₁⁻¹ U_pᵀ        α² (Z₂ + Z₂ Z₁⁻¹ Z₂) ) (V/α) = ( α Z₂ Z₁⁻¹ b    )
//
// Where pressure acts through another matrix J [Chentanez06 eq. 7], J replaces U_pᵀ in the indefinite form.
// Constrained nodes: with P the projector onto the free directions, U_p P replaces U_p, and the prescribed part goes to
// g. Pinned nodes are no unknowns. A constant pressure in a rigid pocket has no effect: the mean of g is removed, and
// the diagonal of the pocket's first cell is doubled, which makes its pressure zero and the matrix regular.
#pragma once

#include "coracle/step/couple/equations.h"

#include <Eigen/SparseCore>

#include <vector>

namespace coracle {

struct AssembledSystem {
  Eigen::SparseMatrix<double> matrix;  // both triangles stored, no zeros
  bool symmetric = true;
  Eigen::VectorXd rhs;
  std::vector<int> cell;  // of unknown i, its p
  std::vector<int> node;  // of unknowns cells + 3 i + axis, its V / α
  double alpha = 1;
};

// α = 0: the two parts of the right-hand side get equal norms.
AssembledSystem assemble_spd(const CoupledEquations& e, double alpha);
AssembledSystem assemble_indefinite(const CoupledEquations& e);

// Between the unknowns and q, δ; constrained directions take their values, rigid pockets a mean pressure of zero.
void scatter(const CoupledEquations& e, const AssembledSystem& system, const Eigen::VectorXd& x, Vector& q,
             NodeField& change);
Eigen::VectorXd gather(const CoupledEquations& e, const AssembledSystem& system, const Vector& q,
                       const NodeField& change);

}  // namespace coracle
