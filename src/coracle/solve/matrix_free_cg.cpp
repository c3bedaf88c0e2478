#include "coracle/solve/matrix_free_cg.h"

#include "coracle/base/parallel.h"

#include <Eigen/LU>

#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t block = 2048;

void precondition(const std::vector<Mat3>& inverse, const WideField& r, WideField& z) {
  for_blocks(r.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Mat3& m = inverse[i];
      const double x = r[i][0], y = r[i][1], w = r[i][2];
      z[i] = Double4{m(0, 0) * x + m(0, 1) * y + m(0, 2) * w, m(1, 0) * x + m(1, 1) * y + m(1, 2) * w,
                     m(2, 0) * x + m(2, 1) * y + m(2, 2) * w, 0};
    }
  });
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
  for_each_index(n, [&](std::size_t i) { inverse[i] = diagonal[i].inverse(); });
  precondition(inverse, b, z);
  const double goal = tolerance * tolerance * dot(b, z);
  multiply(x, q);
  for_each_index(n, [&](std::size_t i) { r[i] = b[i] - q[i]; });
  precondition(inverse, r, z);
  p = z;
  double rz = dot(r, z);
  for (iterations = 0; rz > goal; ++iterations) {
    if (iterations == max_iterations) return false;
    multiply(p, q);
    const double curvature = dot(p, q);
    if (!(curvature > 0)) return false;
    const double alpha = rz / curvature;
    for_each_index(n, [&](std::size_t i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    });
    precondition(inverse, r, z);
    const double next = dot(r, z), beta = next / rz;
    rz = next;
    for_each_index(n, [&](std::size_t i) { p[i] = z[i] + beta * p[i]; });
  }
  residual = goal > 0 ? tolerance * std::sqrt(rz / goal) : 0;
  return std::isfinite(rz);
}

}  // namespace coracle
