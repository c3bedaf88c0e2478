#include "coracle/solve/conjugate_gradients.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace coracle {

void remove_means(Vector& x, const std::vector<std::vector<int>>& sets) {
  for (const auto& set : sets) {
    double sum = 0;
    for (int i : set) sum += x[i];
    for (int i : set) x[i] -= sum / double(set.size());
  }
}

double dot(const Vector& a, const Vector& b) {
  return sum_blocks(a.size(), [&](std::size_t begin, std::size_t end) {
    double s = 0;
    for (std::size_t i = begin; i < end; ++i) s += a[i] * b[i];
    return s;
  });
}

double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

SolveReport conjugate_gradients(const Apply& multiply, const Vector& b, Vector& x, const Apply& precondition,
                                const std::vector<std::vector<int>>& closed, const CgOptions& options) {
  SolveReport report;
  Vector rhs = b, q, z, p(b.size(), 0);
  remove_means(rhs, closed);
  const double target = std::max(options.tolerance * norm(rhs), options.floor);
  const double scale = std::max(norm(rhs), options.floor);

  Vector r = rhs;
  multiply(x, q);
  for_each_index(r.size(), [&](std::size_t i) { r[i] -= q[i]; });
  double size = norm(r);
  if (size > norm(rhs) && !options.keep_start) {  // worse than starting from nothing
    std::fill(x.begin(), x.end(), 0.0);
    r = rhs;
    size = norm(r);
  }
  double rho = 0;
  while (size > target && report.iterations < options.max_iterations) {
    precondition(r, z);
    remove_means(z, closed);
    const double rho_new = dot(r, z);
    if (!(rho_new > 0)) break;
    const double beta = report.iterations == 0 ? 0 : rho_new / rho;
    rho = rho_new;
    for_each_index(p.size(), [&](std::size_t i) { p[i] = z[i] + beta * p[i]; });
    multiply(p, q);
    const double curvature = dot(p, q);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    for_each_index(p.size(), [&](std::size_t i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    });
    size = norm(r);
    ++report.iterations;
  }
  remove_means(x, closed);
  report.residual = scale > 0 ? size / scale : 0;
  report.status = size <= target                                ? SolveStatus::converged
                  : report.iterations >= options.max_iterations ? SolveStatus::not_converged
                                                                : SolveStatus::broke_down;
  return report;
}

}  // namespace coracle
