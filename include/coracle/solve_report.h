// The result of a linear solve.
#pragma once

#include <cstddef>
#include <string>

namespace coracle {

enum class SolveStatus { converged, not_converged, broke_down };

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  std::string form;  // which system
  std::size_t unknowns = 0;
  std::size_t nonzeros = 0;
  int iterations = 0;
  double residual = 0;  // ‖b − A x‖ / ‖b‖
  double setup_s = 0;
  double solve_s = 0;
  int passes = 1;       // over contacts and nonlinear materials; each assembles and factorises the bodies' systems
  double bodies_s = 0;  // time of those passes
};

}  // namespace coracle
