#include "bench/measure.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/conjugate_gradients.h"

#include <fmt/format.h>
#include <malloc.h>
#include <Eigen/IterativeLinearSolvers>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

namespace coracle::bench {
namespace {

double relative_volume_error(const CoupledEquations& e, const Vector& q, const NodeField& change) {
  return norm(volume_error(e, q, change)) / volume_task(e);
}

double own_residual(const AssembledSystem& system, const Eigen::VectorXd& x) {
  return (system.matrix * x - system.rhs).norm() / system.rhs.norm();
}

}  // namespace

void progress(const std::string& text) {
  fmt::print(stderr, "  … {}\n", text);
  std::fflush(stderr);
}

FormRun run_schur(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure) {
  Vector q(e.rhs.size(), 0);
  NodeField change;
  FormRun run;
  run.report = solve_schur(e, options, *pressure.solver, q, change);
  run.report.setup_s += e.b.factor_seconds();
  run.residual = run.volume_error = relative_volume_error(e, q, change);
  return run;
}

FormRun run_indefinite(const CoupledEquations& e, const SolverOptions& options) {
  Vector q(e.rhs.size(), 0);
  NodeField change;
  FormRun run;
  run.report = solve_indefinite(e, options, q, change);
  run.volume_error = relative_volume_error(e, q, change);
  const AssembledSystem system = assemble_indefinite(e);
  run.residual = own_residual(system, gather(e, system, q, change));
  return run;
}

FormRun run_spd(const CoupledEquations& e, const SolverOptions& options) {
  Vector q(e.rhs.size(), 0);
  NodeField change;
  FormRun run;
  run.report = solve_spd(e, options, q, change);
  run.volume_error = relative_volume_error(e, q, change);
  const AssembledSystem system = assemble_spd(e, options.alpha);
  run.residual = own_residual(system, gather(e, system, q, change));
  return run;
}

FormRun run_spd_by_minimum_degree(const CoupledEquations& e, const SolverOptions& options) {
  const auto start = Clock::now();
  const AssembledSystem system = assemble_spd(e, options.alpha);
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper, Eigen::IncompleteCholesky<double>>
      solver(system.matrix);
  FormRun run;
  run.report.form = "spd";
  run.report.unknowns = std::size_t(system.rhs.size());
  run.report.nonzeros = std::size_t(system.matrix.nonZeros());
  run.report.setup_s = seconds_since(start);
  const auto solving = Clock::now();
  solver.setTolerance(options.tolerance);
  solver.setMaxIterations(20 * options.max_iterations);  // as run_spd
  const Eigen::VectorXd x = solver.solve(system.rhs);
  run.report.solve_s = seconds_since(solving);
  run.report.iterations = int(solver.iterations());
  run.report.status = solver.info() == Eigen::Success ? SolveStatus::converged : SolveStatus::not_converged;
  Vector q;
  NodeField change;
  scatter(e, system, x, q, change);
  run.residual = own_residual(system, x);
  run.volume_error = relative_volume_error(e, q, change);
  return run;
}

FormRun best_of(const std::function<FormRun()>& run) {
  const auto start = Clock::now();
  FormRun best = run();
  for (int i = 1; i < repeats; ++i) {
    if (seconds_since(start) * (i + 1) / i > short_enough) break;
    const FormRun again = run();
    if (again.seconds() < best.seconds()) best = again;
  }
  return best;
}

std::string word(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::not_converged:
      return "not converged";
    default:
      return "broke down";
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void forget_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024 / 1e6;
  return std::nan("");
}

double seconds_of_control() {
  const auto start = Clock::now();
  const double sum = sum_blocks(std::size_t(1) << 25, [](std::size_t begin, std::size_t end) {
    double s = 0;
    for (std::size_t i = begin; i < end; ++i) s += std::sqrt(double(i) + s);
    return s;
  });
  return sum > 0 ? seconds_since(start) : 0;
}

double seconds_of_copy() {
  constexpr std::size_t size = std::size_t(1) << 25;  // 256 MB: no cache holds it
  std::vector<double> from(size), to(size);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    for_each_index(size, [&](std::size_t k) { to[k] = from[k]; });
    best = std::min(best, seconds_since(start));
  }
  return best;
}

}  // namespace coracle::bench
