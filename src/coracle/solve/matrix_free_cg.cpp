#include "coracle/solve/matrix_free_cg.h"

#include "coracle/base/parallel.h"

#include <Eigen/LU>

#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t block = 2048;

Double4 times(const Mat3& m, Double4 r) {
  return Double4{m(0, 0) * r[0] + m(0, 1) * r[1] + m(0, 2) * r[2], m(1, 0) * r[0] + m(1, 1) * r[1] + m(1, 2) * r[2],
                 m(2, 0) * r[0] + m(2, 1) * r[1] + m(2, 2) * r[2], 0};
}

}  // namespace

double dot(const WideField& a, const WideField& b) {
  return sum_blocks(
      a.size(),
      [&](std::size_t begin, std::size_t end) {
        Double4 sum{};
        for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
        return sum[0] + sum[1] + sum[2];
      },
      block);
}

bool MatrixFreeCg::solve(const std::function<void(const WideField&, WideField&)>& multiply,
                         const std::vector<Mat3>& diagonal, const WideField& b, WideField& x) {
  const std::size_t n = b.size();
  for (WideField* f : {&r, &z, &p, &q}) f->resize(n);
  inverse.resize(n);
  // A sum over all i of f(i), in one pass with what f changes: the lists do not fit into caches.
  const auto sum = [n](auto&& f) {
    return sum_blocks(
        n,
        [&](std::size_t begin, std::size_t end) {
          Double4 part{};
          for (std::size_t i = begin; i < end; ++i) part += f(i);
          return part[0] + part[1] + part[2];
        },
        block);
  };
  const double goal = tolerance * tolerance * sum([&](std::size_t i) {
                        inverse[i] = diagonal[i].inverse();
                        return b[i] * times(inverse[i], b[i]);
                      });
  multiply(x, q);
  double rz = sum([&](std::size_t i) {
    r[i] = b[i] - q[i];
    p[i] = times(inverse[i], r[i]);
    return r[i] * p[i];
  });
  for (iterations = 0; rz > goal; ++iterations) {
    if (iterations == max_iterations) return false;
    multiply(p, q);
    const double curvature = dot(p, q);
    if (!(curvature > 0)) return false;
    const double alpha = rz / curvature;
    const double next = sum([&](std::size_t i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      z[i] = times(inverse[i], r[i]);
      return r[i] * z[i];
    });
    const double beta = next / rz;
    rz = next;
    for_each_index(n, [&](std::size_t i) { p[i] = z[i] + beta * p[i]; });
  }
  residual = goal > 0 ? tolerance * std::sqrt(rz / goal) : 0;
  return std::isfinite(rz);
}

}  // namespace coracle
