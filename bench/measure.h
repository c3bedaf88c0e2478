// Functions that the timed cases share.
#pragma once

#include "bench/cases.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/step/grid/projection.h"
#include "coracle/timer.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace coracle::bench {

using Clock = std::chrono::steady_clock;

// Writes a line to stderr, so that a user sees progress.
void progress(const std::string& text);

inline constexpr int repeats = 3;           // of short runs: the fastest counts
inline constexpr double short_enough = 10;  // s, all repeats together

// One form of a coupled system, solved from a zero guess.
struct FormRun {
  SolveReport report;
  double residual = 0;      // ‖A x − b‖ / ‖b‖ of the form's own matrix, computed from x
  double volume_error = 0;  // relative to volume_task()
  double seconds() const { return report.setup_s + report.solve_s; }
};

// The set-up of schur includes the factorisation of B, which the other forms do not need.
FormRun run_schur(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure);
FormRun run_indefinite(const CoupledEquations& e, const SolverOptions& options);
FormRun run_spd(const CoupledEquations& e, const SolverOptions& options);
// As run_spd, with the incomplete Cholesky factor in Eigen's default order; stops at its own residual.
FormRun run_spd_by_minimum_degree(const CoupledEquations& e, const SolverOptions& options);

// The fastest of `repeats` runs; fewer runs if they take long.
FormRun best_of(const std::function<FormRun()>& run);

std::string word(SolveStatus status);

double median(std::vector<double> values);

// Of this process, since the last forget_peak_memory(), in MB.
void forget_peak_memory();
double peak_memory_mb();

// Time of arithmetic without memory access, and of a copy of memory: they show how much more threads can gain on this
// machine now.
double seconds_of_control();
double seconds_of_copy();

}  // namespace coracle::bench
