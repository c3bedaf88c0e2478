// The liquid's pressure and the bodies' velocity in one linear system, and its three forms.
//
// Unknown q = p Δt / (ρ dx) in active cells and δ, the change of the nodes' velocity. In units of dx²:
//     L q + c U δ = rhs             every cell's volume                     [ZarifiBatty17 eq. 13]
//     B δ = body_rhs + κ Uᵀ q       every node's momentum, κ = ρ dx³ / Δt    [ZarifiBatty17 eq. 16]
// with B = M/Δt + D + Δt K (and contact) under the bodies' constraints, c = 1 for backward Euler.
//
//     schur        S q = rhs − c U B⁻¹ body_rhs,  S = L + c κ U B⁻¹ Uᵀ: symmetric positive definite, pressures only.
//                  Its residual is the volume error. Conjugate gradients with a multigrid cycle, B by Cholesky.
//     spd          [ZarifiBatty17 eqs. 28–33] with Z₁ a multiple of the mass: conjugate gradients, incomplete Cholesky.
//     indefinite   [ZarifiBatty17 eq. 19]: BiCGSTAB, incomplete LU.
// Where pressure acts on samples (grid/boundary.h), J stands in place of Uᵀ [Chentanez06 eq. 7]: S and the indefinite
// form are then not symmetric, and both are solved by BiCGSTAB.
// Every form has converged when the volume error ‖L q + c U δ − rhs‖ is small relative to ‖rhs − c U B⁻¹ body_rhs‖.
#pragma once

#include "coracle/scene.h"
#include "coracle/solve/block_solver.h"
#include "coracle/solve/pressure_solver.h"
#include "coracle/step/couple/coupling.h"
#include "coracle/step/grid/fluid_system.h"

#include <functional>
#include <vector>

namespace coracle {

struct CoupledEquations {
  const Stencil<double>& l;  // L and rhs: empty where the fluid's system does not lie at home
  const Vector& rhs;
  const Coupling& u;
  BlockSolver& b;  // factorised, constraints included
  const NodeField& body_rhs;
  double c;                     // nodes move by c δ
  double kappa;                 // kg/s
  std::vector<double> inertia;  // kg/s, per node: the part of B that is a multiple of the mass
  double dx, dt, density;       // m, s, kg/m³: pressure p = q ρ dx / Δt
  CellSets rigid_pockets;       // components without a free surface whose walls cannot move: L is singular there
  CellSets elastic_pockets;     // those that bodies enclose
  double floor = 0;             // a volume error of this size is round-off
  const Coupling* j = nullptr;  // J, where pressure acts on samples; else it acts through Uᵀ

  const Coupling& force() const { return j ? *j : u; }
  bool symmetric() const { return !j; }
};

// Volume error L q + c U δ − rhs, without the means over rigid pockets.
Vector volume_error(const CoupledEquations& e, const Vector& q, const NodeField& change);
// ‖rhs − c U B⁻¹ body_rhs‖: the volume error without pressure.
double volume_task(const CoupledEquations& e);

// The pressure solve of the schur form: S q = rhs − flux, with S = L + the term of the bodies.
using SolvePressures = std::function<SolveReport(const CellValues& flux, WetTerm& bodies)>;
// q: where `solve` puts its result; read in wet cells.
[[nodiscard]] SolveReport solve_schur(const CoupledEquations& e, const SolvePressures& solve, const Vector& q,
                                      NodeField& change);
// q is the first guess and the result.
[[nodiscard]] SolveReport solve_schur(const CoupledEquations& e, const SolverOptions& options, PressureSolver& solver,
                                      Vector& q, NodeField& change);
[[nodiscard]] SolveReport solve_spd(const CoupledEquations& e, const SolverOptions& options, Vector& q,
                                    NodeField& change);
[[nodiscard]] SolveReport solve_indefinite(const CoupledEquations& e, const SolverOptions& options, Vector& q,
                                           NodeField& change);

}  // namespace coracle
