#include "coracle/solve/bicgstab.h"

#include "coracle/base/parallel.h"

#include <cmath>

namespace coracle {

SolveReport bicgstab(const Apply& multiply, const Vector& b, Vector& x, const Apply& precondition,
                     const std::vector<std::vector<int>>& closed, const CgOptions& options) {
  SolveReport report;
  Vector rhs = b;
  remove_means(rhs, closed);
  const double size = norm(rhs), target = std::max(options.tolerance * size, options.floor);
  const double scale = std::max(size, options.floor);
  const std::size_t n = b.size();
  Vector r(n, 0), shadow, p(n, 0), v(n, 0), s(n, 0), t(n, 0), p_hat(n, 0), s_hat(n, 0);
  const auto product = [&](const Vector& in, Vector& out) {
    multiply(in, out);
    remove_means(out, closed);
  };
  const auto start = [&] {
    product(x, r);
    for_each_index(n, [&](std::size_t i) { r[i] = rhs[i] - r[i]; });
    shadow = r;
    std::fill(p.begin(), p.end(), 0.0);
    std::fill(v.begin(), v.end(), 0.0);
  };
  remove_means(x, closed);
  start();
  double error = norm(r);
  if (!(error <= size)) {  // the initial guess is worse than zero
    std::fill(x.begin(), x.end(), 0.0);
    start();
    error = norm(r);
  }
  double rho = 1, alpha = 1, omega = 1;
  constexpr int most_restarts = 20;
  int restarts = 0;
  while (error > target && report.iterations < options.max_iterations) {
    const double rho_next = dot(shadow, r);
    // The shadow residual is nearly orthogonal to the residual: restart from the current x.
    constexpr double orthogonal = 1e-12;
    if (!(std::abs(rho_next) > orthogonal * norm(shadow) * error) || omega == 0) {
      if (++restarts > most_restarts || !std::isfinite(rho_next)) break;
      start();
      rho = alpha = omega = 1;
      error = norm(r);
      continue;
    }
    const double beta = rho_next / rho * (alpha / omega);
    rho = rho_next;
    for_each_index(n, [&](std::size_t i) { p[i] = r[i] + beta * (p[i] - omega * v[i]); });
    precondition(p, p_hat);
    product(p_hat, v);
    const double along = dot(shadow, v);
    if (along == 0) {
      omega = 0;  // restart
      continue;
    }
    alpha = rho / along;
    for_each_index(n, [&](std::size_t i) { s[i] = r[i] - alpha * v[i]; });
    ++report.iterations;
    if (const double half = norm(s); half <= target) {
      for_each_index(n, [&](std::size_t i) { x[i] += alpha * p_hat[i]; });
      error = half;
      break;
    }
    precondition(s, s_hat);
    product(s_hat, t);
    omega = dot(t, s) / dot(t, t);
    for_each_index(n, [&](std::size_t i) {
      x[i] += alpha * p_hat[i] + omega * s_hat[i];
      r[i] = s[i] - omega * t[i];
    });
    error = norm(r);
    if (!std::isfinite(error)) break;
  }
  if (error <= target) {  // the recurrence may have drifted: recompute the true residual
    product(x, t);
    for_each_index(n, [&](std::size_t i) { t[i] = rhs[i] - t[i]; });
    constexpr double drifted = 10;  // times the target: the most that the true residual may be
    error = norm(t) <= drifted * target ? std::min(norm(t), target) : norm(t);
  }
  remove_means(x, closed);
  report.residual = scale > 0 ? error / scale : 0;
  report.status = error <= target        ? SolveStatus::converged
                  : std::isfinite(error) ? SolveStatus::not_converged
                                         : SolveStatus::broke_down;
  return report;
}

}  // namespace coracle
