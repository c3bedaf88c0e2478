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

std::vector<Range> support_of(const Stencil<double>& a) {
  std::vector<Range> ranges;
  for (std::size_t row = 0; row < a.span.size(); ++row)
    if (a.span[row].first < a.span[row].second)
      ranges.push_back({row * a.n.x() + a.span[row].first, row * a.n.x() + a.span[row].second});
  return ranges;
}

double dot(const Vector& a, const Vector& b) {
  return sum_blocks(a.size(), [&](std::size_t begin, std::size_t end) {
    double s = 0;
    for (std::size_t i = begin; i < end; ++i) s += a[i] * b[i];
    return s;
  });
}

double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

namespace {

// All indices, in pieces.
std::vector<Range> ranges_of(std::size_t count) {
  constexpr std::size_t piece = 4096;
  std::vector<Range> ranges;
  for (std::size_t begin = 0; begin < count; begin += piece) ranges.push_back({begin, std::min(begin + piece, count)});
  return ranges;
}

}  // namespace

SolveReport conjugate_gradients(const Apply& multiply, const Vector& b, Vector& x, const Apply& precondition,
                                const std::vector<std::vector<int>>& closed, const CgOptions& options) {
  SolveReport report;
  // Vectors are and stay zero outside the support. Sums use fixed groups of ranges, for any number of threads.
  const bool anywhere = options.support.empty();
  const std::vector<Range> everything = anywhere ? ranges_of(b.size()) : std::vector<Range>();
  const std::vector<Range>& support = anywhere ? everything : options.support;
  const std::size_t block = anywhere ? 1 : 32;  // ranges
  const auto sum = [&](auto&& f) {
    return sum_blocks(
        support.size(),
        [&](std::size_t begin, std::size_t end) {
          double s = 0;
          for (std::size_t r = begin; r < end; ++r)
            for (std::size_t i = support[r].begin; i < support[r].end; ++i) s += f(i);
          return s;
        },
        block);
  };
  const auto for_all = [&](auto&& f) {
    for_blocks(support.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r)
        for (std::size_t i = support[r].begin; i < support[r].end; ++i) f(i);
    });
  };

  CgVectors own;
  CgVectors& kept = options.vectors ? *options.vectors : own;
  Vector &r = kept.r, &q = kept.q, &z = kept.z, &p = kept.p, &rhs = kept.rhs;
  for (Vector* v : {&r, &q, &z, &p}) v->resize(b.size());
  const auto size_of_r = [&] { return std::sqrt(sum([&](std::size_t i) { return r[i] * r[i]; })); };
  for_all([&](std::size_t i) { r[i] = b[i]; });
  remove_means(r, closed);
  const double rhs_norm = size_of_r();
  const double target = std::max(options.tolerance * rhs_norm, options.floor);
  const double scale = std::max(rhs_norm, options.floor);
  multiply(x, q);
  if (!options.keep_start) {
    rhs.resize(b.size());
    for_all([&](std::size_t i) { rhs[i] = r[i]; });
  }
  for_all([&](std::size_t i) { r[i] -= q[i]; });
  double size = size_of_r();
  if (size > rhs_norm && !options.keep_start) {  // the initial guess is worse than zero
    for_all([&](std::size_t i) { x[i] = 0, r[i] = rhs[i]; });
    size = rhs_norm;
  }
  double rho = 0;
  while (size > target && report.iterations < options.max_iterations) {
    precondition(r, z);
    remove_means(z, closed);
    const double rho_new = sum([&](std::size_t i) { return r[i] * z[i]; });
    if (!(rho_new > 0)) break;
    const double beta = rho_new / rho;
    rho = rho_new;
    if (report.iterations == 0)
      for_all([&](std::size_t i) { p[i] = z[i]; });
    else
      for_all([&](std::size_t i) { p[i] = z[i] + beta * p[i]; });
    multiply(p, q);
    const double curvature = sum([&](std::size_t i) { return p[i] * q[i]; });
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    size = std::sqrt(sum([&](std::size_t i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      return r[i] * r[i];
    }));
    ++report.iterations;
  }
  remove_means(x, closed);
  report.residual = scale > 0 ? size / scale : 0;
  report.status = size <= target                                ? SolveStatus::converged
                  : report.iterations >= options.max_iterations ? SolveStatus::not_converged
                                                                : SolveStatus::broke_down;
  if (report.status != SolveStatus::converged) kept = {};  // may hold NaN
  return report;
}

}  // namespace coracle
