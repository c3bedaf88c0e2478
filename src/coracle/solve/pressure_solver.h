// The pressure equation of a grid, A q = b with A = L + W, and the interface of its solvers (back ends): the CPU and,
// where CUDA was found when the program was built, a GPU (cuda/).
//
// L is a symmetric 7-point stencil. W is the term of deformable bodies: dense in principle, but it couples wet cells
// only, and only its product with a vector is known. A back end exchanges nothing else with the bodies.
//
// The CPU back end: conjugate gradients, or BiCGSTAB where W is not symmetric, preconditioned by one multigrid cycle of
// L plus a lumped W. If bodies enclose a component of cells, its mean pressure is in the null space of L and only W
// determines it: the indicator vectors Z of such components are deflated [TangNabben09, A-DEF2],
//     z = (1 − Z E⁻¹ Zᵀ A) M⁻¹ r + Z E⁻¹ Zᵀ r,   E = Zᵀ A Z.
// As L Z = 0 and Zᵀ L = 0, this needs only W.
#pragma once

#include "coracle/backend.h"
#include "coracle/solve/stencil.h"
#include "coracle/solve_report.h"

#include <memory>
#include <utility>
#include <vector>

namespace coracle {

using CellSets = std::vector<std::vector<int>>;  // sets of cells, by linear index

// W, for the back ends.
class WetTerm {
 public:
  virtual ~WetTerm() = default;
  // y ← y + W x. `tolerance` is the allowed relative error of the product if exact() is false.
  virtual void add(const Vector& x, double tolerance, Vector& y) = 0;
  // t ← t − Zᵀ W x, one value per set of PressureEquation::deflated.
  virtual void subtract_sums(const Vector& x, Eigen::VectorXd& t) = 0;
  // The cells that W couples, increasing: only there is y changed and, if W is symmetric, x read.
  virtual const std::vector<int>& cells() const = 0;
  // Row sums of an approximation of W, as (cell, value): an addition to the preconditioner's diagonal.
  virtual std::vector<std::pair<int, double>> lumped() const = 0;
  virtual bool symmetric() const = 0;
  virtual bool exact() const = 0;  // products do not depend on the tolerance
};

struct PressureEquation {
  const Stencil<double>& matrix;  // L
  const Vector& rhs;              // b
  const CellSets& singular;       // sets on which A is singular: the means of b and q over each are removed
  const CellSets& deflated;       // sets on which L is singular but W is not
  WetTerm* wet = nullptr;         // W; none: A = L
};

struct PressureOptions {
  Backend backend = Backend::cpu;
  bool multigrid = true;  // else incomplete Cholesky of L
  double tolerance = 1e-8;
  double floor = 0;  // least absolute tolerance of ‖b − A q‖: the round-off of b
  int max_iterations = 500;
};

class PressureSolver {
 public:
  virtual ~PressureSolver() = default;
  // q is the first guess and the result. The report has status, iterations, residual, setup_s and solve_s.
  [[nodiscard]] virtual SolveReport solve(const PressureEquation& equation, const PressureOptions& options,
                                          Vector& q) = 0;
};

// Solves on the back end that the options name. Throws RunError if it cannot be used (backend.h).
std::unique_ptr<PressureSolver> make_pressure_solver();

}  // namespace coracle
