// Eigenvalues and eigenvectors of small symmetric matrices.
//
// Householder reflections bring A to the tridiagonal form QᵀAQ, and the QR iteration of Eigen does the rest. Eigen's
// SelfAdjointEigenSolver gives the same; its reflections take GCC up to ten seconds a size to compile, and they are up
// to twice as slow for sizes below 10.
#pragma once

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

namespace coracle {

template <int n>
struct SymmetricEigen {
  Eigen::Matrix<double, n, 1> values;  // in increasing order; NaN if the iteration does not end, as with NaN in A
  Eigen::Matrix<double, n, n> vectors;
};

template <int n>
SymmetricEigen<n> symmetric_eigen(Eigen::Matrix<double, n, n> a) {
  using Vector = Eigen::Matrix<double, n, 1>;
  using Matrix = Eigen::Matrix<double, n, n>;
  double scale = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) scale += std::abs(a(i, j));
  if (scale == 0) return {Vector::Zero(), Matrix::Identity()};
  a /= scale;
  Matrix q = Matrix::Identity();
  for (int k = 0; k + 2 < n; ++k) {
    // The reflection I − v vᵀ, |v|² = 2, that clears column k below the subdiagonal.
    Vector v = Vector::Zero();
    for (int i = k + 1; i < n; ++i) v[i] = a(i, k);
    double below = 0;
    for (int i = k + 2; i < n; ++i) below += v[i] * v[i];
    if (below < 1e-200) continue;  // far below rounding, and squares soon underflow
    v[k + 1] += std::copysign(std::sqrt(v[k + 1] * v[k + 1] + below), v[k + 1]);
    v *= std::sqrt(2 / v.squaredNorm());
    // (I − v vᵀ) A (I − v vᵀ) = A − v pᵀ − p vᵀ with p = A v − ½ (vᵀ A v) v
    Vector p = Vector::Zero();
    for (int j = k + 1; j < n; ++j) p += v[j] * a.col(j);
    p -= 0.5 * v.dot(p) * v;
    for (int j = k; j < n; ++j) a.col(j) -= v[j] * p + p[j] * v;
    // Q ← Q (I − v vᵀ)
    Vector s = Vector::Zero();
    for (int j = k + 1; j < n; ++j) s += v[j] * q.col(j);
    for (int j = k + 1; j < n; ++j) q.col(j) -= v[j] * s;
  }
  Vector diagonal;
  Eigen::Matrix<double, n - 1, 1> subdiagonal;
  for (int i = 0; i < n; ++i) diagonal[i] = a(i, i);
  for (int i = 0; i + 1 < n; ++i) subdiagonal[i] = a(i + 1, i);
  Eigen::SelfAdjointEigenSolver<Matrix> tridiagonal;
  tridiagonal.computeFromTridiagonal(diagonal, subdiagonal);
  if (tridiagonal.info() != Eigen::Success) scale = std::numeric_limits<double>::quiet_NaN();
  return {scale * tridiagonal.eigenvalues(), q.lazyProduct(tridiagonal.eigenvectors())};
}

}  // namespace coracle
