#include "coracle/solve/symmetric_eigen.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

template <int n>
void expect_decomposed(const Eigen::Matrix<double, n, n>& a) {
  const SymmetricEigen<n> eigen = symmetric_eigen<n>(a);
  const Eigen::Matrix<double, n, n>& y = eigen.vectors;
  const auto unit = Eigen::Matrix<double, n, n>::Identity();
  EXPECT_LE((y.lazyProduct(eigen.values.asDiagonal() * y.transpose()) - a).norm(), 1e-14 * n * a.norm());
  EXPECT_LE((y.transpose().lazyProduct(y) - unit).norm(), 1e-14 * n);
  for (int i = 0; i + 1 < n; ++i) EXPECT_LE(eigen.values[i], eigen.values[i + 1]);
}

template <int n>
void expect_all_decomposed() {
  using Matrix = Eigen::Matrix<double, n, n>;
  for (std::uint64_t key = 0; key < 50; ++key) {
    Matrix r;
    for (int i = 0; i < n * n; ++i) r.data()[i] = uniform(key, i) - 0.5;
    const Matrix full = r + r.transpose();
    expect_decomposed<n>(full);
    expect_decomposed<n>(1e-200 * full);
    expect_decomposed<n>(1e200 * full);
    // Low rank, with zero rows.
    Matrix low = r.col(0) * r.col(0).transpose() - r.col(1) * r.col(1).transpose();
    low.row(1).setZero(), low.col(1).setZero();
    expect_decomposed<n>(low);
    // Nearly diagonal, down to what squares cannot hold.
    expect_decomposed<n>(Matrix(r.col(0).asDiagonal()) + std::pow(10.0, -5.0 * double(key)) * full);
  }
  expect_decomposed<n>(Matrix::Zero());
  expect_decomposed<n>(Matrix::Identity());
  EXPECT_TRUE(std::isnan(symmetric_eigen<n>(Matrix::Constant(NAN)).values[0]));
}

TEST(SymmetricEigen, vectors_and_values_give_the_matrix_back) {
  expect_all_decomposed<3>();
  expect_all_decomposed<5>();
  expect_all_decomposed<9>();
}

}  // namespace
}  // namespace coracle
