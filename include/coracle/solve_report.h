// What a linear solve has to say of itself.
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
  int passes = 1;       // over contacts and nonlinear materials: the bodies' systems made and factorised
  double bodies_s = 0;  // for those
};

}  // namespace coracle
