// Each energy has a part that depends on the stretches and one that depends on the volume alone, ψ = shape(σ) +
// volume(J). The stiffness has, in the frame of U and V, nine directions [SmithGoesKim19]: per pair of axes a flip
// (uᵢvⱼᵀ + uⱼvᵢᵀ)/√2 and a twist (uᵢvⱼᵀ − uⱼvᵢᵀ)/√2, both eigenvectors, and the 3×3 block ∂²ψ/∂σ² of the uᵢvᵢᵀ. With
// ψᵢ = ∂ψ/∂σᵢ the eigenvalues are
//     flip (ψᵢ − ψⱼ) / (σᵢ − σⱼ),     twist (ψᵢ + ψⱼ) / (σᵢ + σⱼ)
// where the divisions are carried out by hand, so that equal stretches need no special case.
#include "coracle/step/body/material.h"

#include "coracle/base/check.h"
#include "coracle/error.h"
#include "coracle/step/body/polar.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {
namespace {

// The least σ₁ + σ₂ that is divided by: the twist of the corotational pair grows without bound towards the kink.
constexpr double least_sum = 1e-6;

double stable_mu(const Lame& l) { return 4.0 / 3 * l.mu; }
double stable_lambda(const Lame& l) { return l.lambda + 5.0 / 6 * l.mu; }

// The part that depends on J alone, with its derivatives.
struct VolumePart {
  double energy = 0, first = 0, second = 0;
};
VolumePart volume_part(MaterialModel model, const Lame& l, double j) {
  const double d = j - 1;
  switch (model) {
    case MaterialModel::corotational:
    case MaterialModel::st_venant_kirchhoff:
      return {};
    case MaterialModel::fixed_corotated:
      return {l.lambda / 2 * d * d, l.lambda * d, l.lambda};
    case MaterialModel::stable_neo_hookean: {
      const double lambda = stable_lambda(l);
      return {(lambda / 2 * d - l.mu) * d, lambda * d - l.mu, lambda};
    }
    case MaterialModel::neo_hookean: {
      const double inside = std::max(j, least_volume), log_j = std::log(inside), exact = std::log(j);
      return {j > 0 ? (l.lambda / 2 * exact - l.mu) * exact : std::numeric_limits<double>::infinity(),
              (l.lambda * log_j - l.mu) / inside, (l.lambda * (1 - log_j) + l.mu) / (inside * inside)};
    }
  }
  CHECK(false);
}

// ∂J/∂F.
Mat3 cofactor(const Mat3& f) {
  Mat3 c;
  for (int a = 0; a < 3; ++a) c.col(a) = f.col((a + 1) % 3).cross(f.col((a + 2) % 3));
  return c;
}

// The stiffness in the frame of U and V. Entry k of flip and twist belongs to the pair of axes other than k.
struct PrincipalStiffness {
  Mat3 stretch;
  Vec3 flip, twist;
};

PrincipalStiffness shape_part(MaterialModel model, const Lame& l, const Vec3& sigma) {
  const auto uniform = [](double stiffness) {
    return PrincipalStiffness{stiffness * Mat3::Identity(), Vec3::Constant(stiffness), Vec3::Constant(stiffness)};
  };
  const auto sum_of_others = [&](int k) { return sigma[(k + 1) % 3] + sigma[(k + 2) % 3]; };
  switch (model) {
    case MaterialModel::corotational:
    case MaterialModel::fixed_corotated: {
      const double lambda = model == MaterialModel::corotational ? l.lambda : 0;
      // ψᵢ = 2μ (σᵢ − 1) + λ tr(S − 1)
      PrincipalStiffness p = uniform(2 * l.mu);
      p.stretch.array() += lambda;
      const double softening = 4 * l.mu - 2 * lambda * (sigma.sum() - 3);
      for (int k = 0; k < 3; ++k) p.twist[k] -= softening / std::max(sum_of_others(k), least_sum);
      return p;
    }
    case MaterialModel::st_venant_kirchhoff: {
      // ψᵢ = σᵢ (μ (σᵢ² − 1) + λ tr E)
      const double base = l.lambda * (sigma.squaredNorm() - 3) / 2 - l.mu;
      PrincipalStiffness p = uniform(base);
      p.stretch += l.lambda * sigma * sigma.transpose();
      for (int k = 0; k < 3; ++k) {
        const double a = sigma[(k + 1) % 3], b = sigma[(k + 2) % 3];
        p.stretch(k, k) += 3 * l.mu * sigma[k] * sigma[k];
        p.flip[k] += l.mu * (a * a + a * b + b * b);
        p.twist[k] += l.mu * (a * a - a * b + b * b);
      }
      return p;
    }
    case MaterialModel::stable_neo_hookean: {
      // ψᵢ = μ' I / (I + 1) σᵢ
      const double i = sigma.squaredNorm(), mu = stable_mu(l);
      PrincipalStiffness p = uniform(mu * i / (i + 1));
      p.stretch += 2 * mu / ((i + 1) * (i + 1)) * sigma * sigma.transpose();
      return p;
    }
    case MaterialModel::neo_hookean:
      return uniform(l.mu);
  }
  CHECK(false);
}

// ψᵢ = volume'(J) σⱼσₖ, so ψᵢ − ψⱼ = −volume' σₖ (σᵢ − σⱼ), and so on.
void add_volume_part(const VolumePart& volume, const Vec3& sigma, PrincipalStiffness& p) {
  const Vec3 c(sigma[1] * sigma[2], sigma[2] * sigma[0], sigma[0] * sigma[1]);
  p.stretch += volume.second * c * c.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double off = volume.first * sigma[k];
    p.stretch(i, j) += off, p.stretch(j, i) += off;
    p.flip[k] -= off, p.twist[k] += off;
  }
}

// By pivots of LDLᵀ: cheaper than eigenvalues, and enough for most elements in most steps.
bool is_positive(const Mat3& m) {
  if (!(m(0, 0) > 0)) return false;
  const double a = m(1, 0) / m(0, 0), b = m(2, 0) / m(0, 0);
  const double d1 = m(1, 1) - a * m(1, 0), e = m(2, 1) - b * m(1, 0);
  return d1 > 0 && m(2, 2) - b * m(2, 0) - e * e / d1 > 0;
}

void project_to_positive(PrincipalStiffness& p) {
  p.flip = p.flip.cwiseMax(0);
  p.twist = p.twist.cwiseMax(0);
  if (is_positive(p.stretch)) return;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(p.stretch);
  const Mat3& q = eigen.eigenvectors();
  p.stretch = q * eigen.eigenvalues().cwiseMax(0).asDiagonal() * q.transpose();
}

// From the frame of U and V to that of the world: Σ (coefficients) tᵢⱼ tₖₗᵀ with tᵢⱼ = vec(uᵢ vⱼᵀ).
Mat9 assemble(const RotationSvd& svd, const PrincipalStiffness& p) {
  Mat9 t, w;  // columns tᵢⱼ, and the stiffness times them
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) t.block<3, 1>(3 * c, i + 3 * j) = svd.v(c, j) * svd.u.col(i);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3, ij = i + 3 * j, ji = j + 3 * i;
    const double same = (p.flip[k] + p.twist[k]) / 2, other = (p.flip[k] - p.twist[k]) / 2;
    w.col(4 * k) = p.stretch(0, k) * t.col(0) + p.stretch(1, k) * t.col(4) + p.stretch(2, k) * t.col(8);
    w.col(ij) = same * t.col(ij) + other * t.col(ji);
    w.col(ji) = other * t.col(ij) + same * t.col(ji);
  }
  Mat9 m;
  m.noalias() = w.lazyProduct(t.transpose());
  m.triangularView<Eigen::StrictlyUpper>() = m.transpose();
  return m;
}

}  // namespace

Lame lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

double energy_density(MaterialModel model, const Lame& l, const Mat3& f) {
  const double volume = volume_part(model, l, f.determinant()).energy;
  switch (model) {
    case MaterialModel::corotational:
    case MaterialModel::fixed_corotated: {
      const Vec3 strain = rotation_svd(f).sigma.array() - 1;
      const double trace = model == MaterialModel::corotational ? strain.sum() : 0;
      return l.mu * strain.squaredNorm() + l.lambda / 2 * trace * trace + volume;
    }
    case MaterialModel::st_venant_kirchhoff: {
      const Mat3 e = (f.transpose() * f - Mat3::Identity()) / 2;
      return l.mu * e.squaredNorm() + l.lambda / 2 * e.trace() * e.trace();
    }
    case MaterialModel::stable_neo_hookean: {
      const double d = f.squaredNorm() - 3;
      return stable_mu(l) / 2 * (d - std::log1p(d / 4)) + volume;
    }
    case MaterialModel::neo_hookean:
      return l.mu / 2 * (f.squaredNorm() - 3) + volume;
  }
  CHECK(false);
}

Mat3 first_piola(MaterialModel model, const Lame& l, const Mat3& f) {
  const auto volume_stress = [&] { return Mat3(volume_part(model, l, f.determinant()).first * cofactor(f)); };
  switch (model) {
    case MaterialModel::corotational: {
      const Polar p = polar(f);
      return 2 * l.mu * (f - p.r) + l.lambda * (p.s.trace() - 3) * p.r;
    }
    case MaterialModel::fixed_corotated:
      return 2 * l.mu * (f - polar(f).r) + volume_stress();
    case MaterialModel::st_venant_kirchhoff: {
      const Mat3 e = (f.transpose() * f - Mat3::Identity()) / 2;
      return f * (2 * l.mu * e + l.lambda * e.trace() * Mat3::Identity());
    }
    case MaterialModel::stable_neo_hookean: {
      const double i = f.squaredNorm();
      return stable_mu(l) * i / (i + 1) * f + volume_stress();
    }
    case MaterialModel::neo_hookean:
      return l.mu * f + volume_stress();
  }
  CHECK(false);
}

Mat9 piola_derivative(MaterialModel model, const Lame& l, const Mat3& f, bool psd) {
  return piola_derivative(model, l, f, psd, 0);
}

Mat9 piola_derivative(MaterialModel model, const Lame& l, const Mat3& f, bool psd, double pressure) {
  const RotationSvd svd = rotation_svd(f);
  PrincipalStiffness p = shape_part(model, l, svd.sigma);
  VolumePart volume = volume_part(model, l, svd.sigma.prod());
  if (model == MaterialModel::corotational) {  // ∂²(tr S)/∂F² turns only: 2 / (σᵢ + σⱼ) per twist
    for (int k = 0; k < 3; ++k)
      p.twist[k] += 2 * pressure / std::max(svd.sigma[(k + 1) % 3] + svd.sigma[(k + 2) % 3], least_sum);
  } else if (model == MaterialModel::st_venant_kirchhoff) {  // ∂²(tr E)/∂F² = 1
    p.stretch.diagonal().array() += pressure;
    p.flip.array() += pressure, p.twist.array() += pressure;
  } else {
    volume.first += pressure;
  }
  add_volume_part(volume, svd.sigma, p);
  if (psd) project_to_positive(p);
  return assemble(svd, p);
}

double dilatation(MaterialModel model, const Mat3& f) {
  switch (model) {
    case MaterialModel::corotational:
      return polar(f).s.trace() - 3;
    case MaterialModel::st_venant_kirchhoff:
      return (f.squaredNorm() - 3) / 2;
    default:
      return f.determinant() - 1;
  }
}

Mat3 dilatation_gradient(MaterialModel model, const Mat3& f) {
  switch (model) {
    case MaterialModel::corotational:
      return polar(f).r;
    case MaterialModel::st_venant_kirchhoff:
      return f;
    default:
      return cofactor(f);
  }
}

MeanVolume mean_volume(MaterialModel model, double lambda, double dilatation) {
  if (model != MaterialModel::neo_hookean) return {lambda / 2 * dilatation * dilatation, lambda * dilatation, lambda};
  const double j = std::max(1 + dilatation, least_volume), log_j = std::log(j);
  return {lambda / 2 * log_j * log_j, lambda * log_j / j, lambda * (1 - log_j) / (j * j)};
}

Mat9 warped_stiffness(const Lame& l, const Mat3& r) {
  // dP = μ (dF + R dFᵀ R) + λ R (R : dF)
  Mat9 m;
  for (int col = 0; col < 3; ++col)
    for (int row = 0; row < 3; ++row)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          m(i + 3 * j, row + 3 * col) = l.mu * (r(i, col) * r(row, j)) + l.lambda * (r(i, j) * r(row, col));
  m.diagonal().array() += l.mu;
  return m;
}

}  // namespace coracle
