#include "coracle/step/body/plane_stress.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// ∂ψ/∂σᵢ
double slope(const PlaneLame& l, double own, double other) {
  return 2 * l.mu * (own - 1) + l.lambda * (own * other - 1) * other;
}

using Vec6 = Eigen::Matrix<double, 6, 1>;

// vec(u vᵀ)
Vec6 mode(const Vec3& u, const Eigen::Vector2d& v) {
  Vec6 m;
  m << v[0] * u, v[1] * u;
  return m;
}

}  // namespace

PlaneLame plane_lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / (1 - poisson * poisson)};
}

Stretches stretches(const Mat32& f) {
  Stretches s;
  // Turn the columns of F until they are orthogonal; the longer comes first.
  const double turn = 0.5 * std::atan2(2 * f.col(0).dot(f.col(1)), f.col(0).squaredNorm() - f.col(1).squaredNorm());
  s.v << std::cos(turn), -std::sin(turn), std::sin(turn), std::cos(turn);
  Mat32 g = f * s.v;
  s.sigma[0] = g.col(0).norm();
  s.u.col(0) = s.sigma[0] > 0 ? Vec3(g.col(0) / s.sigma[0]) : Vec3(Vec3::UnitX());
  g.col(1) -= s.u.col(0).dot(g.col(1)) * s.u.col(0);
  s.sigma[1] = std::min(g.col(1).norm(), s.sigma[0]);
  constexpr double round_off = 1e-15;
  s.u.col(1) = s.sigma[1] > round_off * s.sigma[0] ? g.col(1).normalized() : s.u.col(0).unitOrthogonal();
  s.u.col(2) = s.u.col(0).cross(s.u.col(1));
  return s;
}

double energy_density(const PlaneLame& l, const Mat32& f) {
  const Stretches s = stretches(f);
  const double p = s.sigma[0] - 1, q = s.sigma[1] - 1, area = s.sigma[0] * s.sigma[1] - 1;
  return l.mu * (p * p + q * q) + l.lambda / 2 * area * area;
}

Mat32 first_piola(const PlaneLame& l, const Mat32& f) {
  const Stretches s = stretches(f);
  return slope(l, s.sigma[0], s.sigma[1]) * s.u.col(0) * s.v.col(0).transpose() +
         slope(l, s.sigma[1], s.sigma[0]) * s.u.col(1) * s.v.col(1).transpose();
}

// The eigenvectors of ∂P/∂F for a function of stretches [SmithGoesKim19]: two in the plane of changes of stretch, one
// of turning and one of shear in the plane, and one of turning each axis out of the plane.
Mat6 piola_derivative(const PlaneLame& l, const Mat32& f) {
  const Stretches s = stretches(f);
  const double p = s.sigma[0], q = s.sigma[1], area = p * q - 1;
  const auto positive = [](double value) { return std::max(value, 0.0); };
  // Stretch: ∂²ψ/∂σᵢ∂σⱼ, a symmetric 2×2 matrix with the mean `mean` on its diagonal.
  const double first = 2 * l.mu + l.lambda * q * q, second = 2 * l.mu + l.lambda * p * p;
  const double mixed = l.lambda * (2 * p * q - 1), mean = 0.5 * (first + second), half = 0.5 * (first - second);
  const double radius = std::hypot(half, mixed), angle = 0.5 * std::atan2(mixed, half);
  const Vec6 along = mode(s.u.col(0), s.v.col(0)), across = mode(s.u.col(1), s.v.col(1));
  const Vec6 large = std::cos(angle) * along + std::sin(angle) * across;
  const Vec6 small = -std::sin(angle) * along + std::cos(angle) * across;
  Mat6 h = positive(mean + radius) * large * large.transpose() + positive(mean - radius) * small * small.transpose();
  // Turn: (ψ₁ + ψ₂) / (σ₁ + σ₂); shear: (ψ₁ − ψ₂) / (σ₁ − σ₂). Both quotients are written out.
  const Vec6 one = mode(s.u.col(0), s.v.col(1)), two = mode(s.u.col(1), s.v.col(0));
  const Vec6 turn = (one - two) / std::sqrt(2.0), shear = (one + two) / std::sqrt(2.0);
  h += positive(2 * l.mu - 4 * l.mu / (p + q) + l.lambda * area) * turn * turn.transpose();
  h += positive(2 * l.mu - l.lambda * area) * shear * shear.transpose();
  // Out of the plane: ψᵢ / σᵢ, positive under tension.
  for (int i = 0; i < 2; ++i) {
    const double tension = slope(l, s.sigma[i], s.sigma[1 - i]);
    if (tension <= 0) continue;
    const Vec6 out = mode(s.u.col(2), s.v.col(i));
    h += tension / s.sigma[i] * out * out.transpose();
  }
  return 0.5 * (h + h.transpose());
}

}  // namespace coracle
