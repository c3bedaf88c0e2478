// One-sided Jacobi [Hestenes58]: turn pairs of columns of B = F V until all are orthogonal. Small stretches stay
// accurate; an eigensolver for FᵀF would lose their digits.
#include "coracle/step/body/polar.h"

#include <Eigen/Geometry>

#include <cmath>
#include <utility>

namespace coracle {
namespace {

constexpr int most_sweeps = 12;        // four or five are needed; the rest is a reserve
constexpr double orthogonal = 1e-15;   // cosine between columns, a few round-offs
constexpr double no_stretch = 1e-100;  // of the largest entry of F: squares of larger values do not underflow

// Turn columns p and q of B, and of V, so that those of B are orthogonal; false where they are already.
bool turn(Mat3& b, Mat3& v, int p, int q) {
  const Vec3 bp = b.col(p), bq = b.col(q);
  const double pp = bp.squaredNorm(), qq = bq.squaredNorm(), pq = bp.dot(bq);
  if (!(pq * pq > orthogonal * orthogonal * (pp * qq))) return false;
  // t = tan of the smaller of the two possible angles: t² + 2ζt − 1 = 0, ζ = (qq − pp) / 2pq.
  const double d = qq - pp, t = std::copysign(2.0, d) * pq / (std::abs(d) + std::sqrt(d * d + 4 * pq * pq));
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  b.col(p) = c * bp - s * bq;
  b.col(q) = s * bp + c * bq;
  const Vec3 vp = v.col(p), vq = v.col(q);
  v.col(p) = c * vp - s * vq;
  v.col(q) = s * vp + c * vq;
  return true;
}

// Exchange two columns by a quarter turn, which keeps the determinant.
void exchange(Mat3& m, int p, int q) {
  const Vec3 before = m.col(p);
  m.col(p) = m.col(q);
  m.col(q) = -before;
}

}  // namespace

RotationSvd rotation_svd(const Mat3& f) {
  RotationSvd svd{Mat3::Identity(), Mat3::Identity(), Vec3::Zero()};
  const double scale = f.cwiseAbs().maxCoeff();
  if (scale == 0) return svd;

  // Make the columns orthogonal.
  Mat3 b = f / scale;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = turn(b, svd.v, 0, 1);
    turned |= turn(b, svd.v, 0, 2);
    turned |= turn(b, svd.v, 1, 2);
    if (!turned) break;
  }

  // Sort them by length.
  Vec3 length2 = b.colwise().squaredNorm();
  for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
    if (length2[p] < length2[q]) {
      std::swap(length2[p], length2[q]);
      exchange(b, p, q);
      exchange(svd.v, p, q);
    }

  // Their directions are U; the last completes a rotation.
  const double length0 = std::sqrt(length2[0]), length1 = std::sqrt(length2[1]);
  svd.u.col(0) = b.col(0) / length0;
  if (length1 > no_stretch)
    svd.u.col(1) = b.col(1) / length1;
  else
    svd.u.col(1) = Eigen::Quaterniond::FromTwoVectors(svd.v.col(0), svd.u.col(0)) * svd.v.col(1);
  svd.u.col(2) = svd.u.col(0).cross(svd.u.col(1));
  svd.sigma = scale * Vec3(length0, length1, svd.u.col(2).dot(b.col(2)));
  return svd;
}

Polar polar(const Mat3& f) {
  const RotationSvd svd = rotation_svd(f);
  return {svd.u * svd.v.transpose(), svd.v * svd.sigma.asDiagonal() * svd.v.transpose()};
}

}  // namespace coracle
