// The pressure equation in arrays at a place (base/place/host.h), which kernels there fill and read: the solver of
// pressure_solver.h without the copies.
#pragma once

#include "coracle/solve/pressure_solver.h"

#include <memory>
#include <vector>

namespace coracle {

// One value per cell, zero without an unknown.
struct PlacedEquation {
  Vec3i n = Vec3i::Zero();
  double* diag = nullptr;
  double* off[3] = {};
  double* rhs = nullptr;
  double* q = nullptr;        // the first guess
  double* next = nullptr;     // the result
  double* product = nullptr;  // memory for multiply()
};

struct PlacedTask {
  const std::vector<int>& cell;  // what is subtracted from the right-hand side, each cell once
  const std::vector<double>& flux;
  const CellSets& singular;  // as in PressureEquation
  const CellSets& deflated;
  WetTerm* wet = nullptr;
};

class PlacedSolver {
 public:
  virtual ~PlacedSolver() = default;
  // The arrays, for a grid of this size. Values written there must have arrived before the next call.
  virtual PlacedEquation lay_out(const Vec3i& n) = 0;
  // next = A⁻¹ (rhs − flux), from the first guess q. The solver must be multigrid, W symmetric.
  [[nodiscard]] virtual SolveReport solve(const PlacedTask& task, const PressureOptions& options) = 0;
  // product = L x where there are unknowns; x is q or next. The matrix may have changed since the last solve.
  virtual void multiply(const double* x) = 0;
};

// At the place Host, by the back end of the processor.
std::unique_ptr<PlacedSolver> make_host_placed_solver();
// At the place Cuda. Only where CUDA was found when the program was built.
std::unique_ptr<PlacedSolver> make_cuda_placed_solver();

}  // namespace coracle
