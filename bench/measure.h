// What the timed cases share.
#pragma once

#include "bench/cases.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/step/grid/projection.h"

#include <chrono>
#include <functional>
#include <string>

namespace coracle::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A line to stderr, so that a user sees life.
void progress(const std::string& text);

inline constexpr int repeats = 3;           // of what is short: the best counts
inline constexpr double short_enough = 10;  // s, all repeats together

// One form of a coupled system, solved from nothing.
struct FormRun {
  SolveReport report;
  double residual = 0;      // ‖A x − b‖ / ‖b‖ of the form's own matrix, from x
  double volume_error = 0;  // relative to what the pressure has to do
  double seconds() const { return report.setup_s + report.solve_s; }
};

// Schur's set-up takes in the factorisation of B, which the other two do without.
FormRun run_schur(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure);
FormRun run_indefinite(const CoupledEquations& e, const SolverOptions& options);
FormRun run_spd(const CoupledEquations& e, const SolverOptions& options);
// As run_spd, until its own residual is small, the incomplete Cholesky factor in Eigen's default order.
FormRun run_spd_by_minimum_degree(const CoupledEquations& e, const SolverOptions& options);

// The best of some runs, fewer where they take long.
FormRun best_of(const std::function<FormRun()>& run);

std::string word(SolveStatus status);

}  // namespace coracle::bench
