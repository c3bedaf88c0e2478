// Elastic energies and the rotation in a deformation gradient.
#include "coracle/step/body/material.h"
#include "coracle/base/random.h"
#include "coracle/step/body/polar.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace coracle {
namespace {

struct Model {
  MaterialModel model;
  const char* name;
};
constexpr Model models[] = {{MaterialModel::corotational, "corotational"},
                            {MaterialModel::st_venant_kirchhoff, "St. Venant-Kirchhoff"},
                            {MaterialModel::fixed_corotated, "fixed corotated"},
                            {MaterialModel::stable_neo_hookean, "stable neo-Hookean"},
                            {MaterialModel::neo_hookean, "neo-Hookean"}};

const Lame soft{1.0, 1.7};  // Pa; of order one, so that errors below are relative ones

Mat3 random_matrix(std::uint64_t key) {
  Mat3 m;
  for (int i = 0; i < 9; ++i) m.data()[i] = 2 * uniform(key, i) - 1;
  return m;
}

Mat3 random_rotation(std::uint64_t key) {
  Eigen::Quaterniond q;
  for (int i = 0; i < 4; ++i) q.coeffs()[i] = 2 * uniform(key, 100 + i) - 1;
  return q.normalized().toRotationMatrix();
}

Mat3 turned(const Vec3& sigma, std::uint64_t key) {
  return random_rotation(2 * key) * sigma.asDiagonal() * random_rotation(2 * key + 1);
}

// Stretches of 0.4 to 1.8 under any rotation.
Mat3 stretched(std::uint64_t key) {
  return turned(Vec3(0.4 + 1.4 * uniform(key, 0), 0.4 + 1.4 * uniform(key, 1), 0.4 + 1.4 * uniform(key, 2)), key);
}

// Turned inside out through the thinnest side, with σ₁ + σ₂ ≥ 0.4: away from the kink of the corotational energies.
Mat3 inverted(std::uint64_t key) {
  return turned(Vec3(1.8 - 0.8 * uniform(key, 0), 1 - 0.3 * uniform(key, 1), -0.05 - 0.25 * uniform(key, 2)), key);
}

std::vector<Mat3> smooth_states(MaterialModel model) {
  std::vector<Mat3> all = {random_rotation(5), turned(Vec3(1.3, 1.3, 0.7), 6), 0.6 * random_rotation(7)};
  for (std::uint64_t key = 0; key < 20; ++key) {
    all.push_back(stretched(key));
    if (model != MaterialModel::neo_hookean) all.push_back(inverted(key));
  }
  return all;
}

// Flat, inverted, with equal stretches, zero, tiny, huge.
std::vector<Mat3> degenerate_states() {
  std::vector<Mat3> all = {Mat3::Zero(),          Mat3::Identity(),          -Mat3::Identity(),     Mat3::Ones(),
                           1e-200 * Mat3::Ones(), 1e-200 * random_matrix(1), 1e3 * random_matrix(2)};
  for (const Vec3& sigma : {Vec3(1, 1, 0), Vec3(0, 1, 1), Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0, 1e-170, 1e-120),
                            Vec3(2, 2, -2), Vec3(1, 1, -1), Vec3(3, 0.5, -0.5), Vec3(2, 1, 1e-12), Vec3(2, 1e-9, 1e-9),
                            Vec3(1, 1 + 1e-15, 1 - 1e-15), Vec3(1e-8, 1, -1e-4)}) {
    all.push_back(sigma.asDiagonal());
    all.push_back(turned(sigma, all.size()));
  }
  for (std::uint64_t key = 0; key < 20; ++key) {
    all.push_back(random_matrix(key));
    all.push_back(random_matrix(key).col(0) * random_matrix(key).row(1));
  }
  return all;
}

Vec9 vec(const Mat3& m) { return Eigen::Map<const Vec9>(m.data()); }

Vec9 eigenvalues(const Mat9& m) { return Eigen::SelfAdjointEigenSolver<Mat9>(m).eigenvalues(); }

// dP = 2μ sym(dF) + λ tr(dF) 1, column by column.
Mat9 linear_elasticity(const Lame& l) {
  Mat9 m;
  for (int i = 0; i < 9; ++i) {
    const Mat3 d = Vec9::Unit(i).reshaped(3, 3);
    m.col(i) = vec(l.mu * (d + d.transpose()) + l.lambda * d.trace() * Mat3::Identity());
  }
  return m;
}

bool is_rotation(const Mat3& r) { return (r.transpose() * r - Mat3::Identity()).norm() < 1e-14 && r.determinant() > 0; }

// error(h) ~ h²: the slope between h and h/2. h is small against the stretches, and h² large against round-off / h.
template <class F>
double slope(F&& error) {
  constexpr double h = 4e-3;
  return std::log2(error(h) / error(h / 2));
}

TEST(Polar, every_matrix_is_a_rotation_of_a_symmetric_stretch) {
  for (const Mat3& f : degenerate_states()) {
    SCOPED_TRACE(::testing::PrintToString(f));
    const double round_off = 1e-14 * f.cwiseAbs().maxCoeff();
    const RotationSvd svd = rotation_svd(f);
    EXPECT_TRUE(is_rotation(svd.u));
    EXPECT_TRUE(is_rotation(svd.v));
    EXPECT_LE((svd.u * svd.sigma.asDiagonal() * svd.v.transpose() - f).norm(), round_off);
    EXPECT_GE(svd.sigma[0], svd.sigma[1]);
    EXPECT_GE(svd.sigma[1] + round_off, std::abs(svd.sigma[2]));
    EXPECT_TRUE(std::abs(f.determinant()) < 1e-12 || svd.sigma[2] * f.determinant() > 0);
    const auto [r, s] = polar(f);
    EXPECT_TRUE(is_rotation(r));
    EXPECT_LE((r * s - f).norm(), round_off);
    EXPECT_LE((s - s.transpose()).norm(), round_off);
  }
}

TEST(Polar, stretches_keep_their_digits_whatever_their_size) {
  for (std::uint64_t key = 0; key < 20; ++key) {
    // One rotation only: products of two would round the small stretch away before it is looked for.
    const Vec3 sigma(2, 1e-4, -3e-11);
    const Vec3 found = rotation_svd(random_rotation(key) * sigma.asDiagonal()).sigma;
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(found[a] / sigma[a], 1, 1e-14) << a;
  }
}

TEST(Polar, nothing_and_a_single_stretch_take_the_shortest_turn) {
  EXPECT_EQ(polar(Mat3::Zero()).r, Mat3::Identity());
  for (int a = 0; a < 3; ++a)
    EXPECT_LT((polar(Vec3::Unit(a) * Vec3::Unit(a).transpose()).r - Mat3::Identity()).norm(), 1e-15) << a;
  EXPECT_TRUE(is_rotation(polar(-Vec3::UnitX() * Vec3::UnitX().transpose()).r));
}

TEST(Polar, the_rotation_does_not_jump_when_an_element_is_pressed_through_flat) {
  // |dR| ≤ 2 |dF| / (σ₁ + σ₂); a tenth for the second order.
  constexpr double step = 1e-3;
  for (std::uint64_t key = 0; key < 10; ++key) {
    const Mat3 flat = turned(Vec3(1, 0.8, 0), key);
    const Mat3 direction = turned(Vec3(0, 0, 1), key) + 0.2 * random_matrix(key);
    Mat3 before = polar(flat + 0.2 * direction).r;
    for (int i = 199; i >= -200; --i) {
      const Mat3 f = flat + i * step * direction;
      const RotationSvd svd = rotation_svd(f);
      const Mat3 r = polar(f).r;
      EXPECT_LE((r - before).norm(), 1.1 * 2 * step * direction.norm() / (svd.sigma[1] + svd.sigma[2])) << i;
      before = r;
    }
    EXPECT_LT((flat - 0.2 * direction).determinant(), 0);
  }
}

TEST(Material, a_bar_pulled_gently_answers_with_youngs_modulus_and_poissons_ratio) {
  constexpr double young = 3e5, poisson = 0.3, strain = 1e-6;
  const Lame l = lame(young, poisson);
  const Vec3 stretch(1 + strain, 1 - poisson * strain, 1 - poisson * strain);
  for (const auto& [model, name] : models) {
    const Mat3 q = random_rotation(3), p = q.transpose() * first_piola(model, l, q * stretch.asDiagonal());
    // Beyond the linear law is of the order of the strain.
    EXPECT_NEAR(p(0, 0) / (young * strain), 1, 10 * strain) << name;
    EXPECT_LT(std::abs(p(1, 1)), 10 * strain * young * strain) << name;
    EXPECT_LT(std::abs(p(2, 2)), 10 * strain * young * strain) << name;
  }
}

TEST(Material, every_solid_is_linear_elastic_near_rest) {
  const Mat9 exact = linear_elasticity(soft);
  for (const auto& [model, name] : models) {
    EXPECT_LT(std::abs(energy_density(model, soft, Mat3::Identity())), 1e-15) << name;
    EXPECT_LT(first_piola(model, soft, Mat3::Identity()).norm(), 1e-15) << name;
    for (const bool psd : {false, true})
      EXPECT_LT((piola_derivative(model, soft, Mat3::Identity(), psd) - exact).norm(), 1e-14) << name;
  }
  EXPECT_LT((warped_stiffness(soft, Mat3::Identity()) - exact).norm(), 1e-15);
}

TEST(Material, energy_and_stress_turn_with_the_body_and_have_no_preferred_axis) {
  for (const auto& [model, name] : models)
    for (const Mat3& f : smooth_states(model)) {
      const Mat3 q = random_rotation(991), p = first_piola(model, soft, f);
      const double energy = energy_density(model, soft, f), round_off = 1e-13 * (1 + std::abs(energy) + p.norm());
      EXPECT_NEAR(energy_density(model, soft, q * f), energy, round_off) << name;
      EXPECT_NEAR(energy_density(model, soft, f * q), energy, round_off) << name;
      EXPECT_LT((first_piola(model, soft, q * f) - q * p).norm(), round_off) << name;
      EXPECT_LT((first_piola(model, soft, f * q) - p * q).norm(), round_off) << name;
      // No torque: P Fᵀ is symmetric.
      const Mat3 kirchhoff = p * f.transpose();
      EXPECT_LT((kirchhoff - kirchhoff.transpose()).norm(), 2 * round_off) << name;
    }
}

TEST(Material, stress_is_the_gradient_of_the_energy_to_second_order) {
  for (const auto& [model, name] : models)
    for (const Mat3& f : smooth_states(model)) {
      const Mat3 p = first_piola(model, soft, f);
      const double found = slope([&, model = model](double h) {
        Vec9 difference;
        for (int i = 0; i < 9; ++i) {
          const Mat3 d = h * Vec9::Unit(i).reshaped(3, 3);
          difference[i] = (energy_density(model, soft, f + d) - energy_density(model, soft, f - d)) / (2 * h);
        }
        return (difference - vec(p)).norm();
      });
      EXPECT_NEAR(found, 2, 0.02) << name << "\n" << f;
    }
}

TEST(Material, stiffness_is_the_gradient_of_the_stress_to_second_order_and_symmetric) {
  for (const auto& [model, name] : models)
    for (const Mat3& f : smooth_states(model)) {
      const Mat9 k = piola_derivative(model, soft, f, false);
      EXPECT_EQ(k, k.transpose()) << name;
      const double found = slope([&, model = model](double h) {
        Mat9 difference;
        for (int i = 0; i < 9; ++i) {
          const Mat3 d = h * Vec9::Unit(i).reshaped(3, 3);
          difference.col(i) = vec(first_piola(model, soft, f + d) - first_piola(model, soft, f - d)) / (2 * h);
        }
        return (difference - k).norm();
      });
      EXPECT_NEAR(found, 2, 0.02) << name << "\n" << f;
    }
}

TEST(Material, the_projected_stiffness_is_the_nearest_positive_one) {
  for (const auto& [model, name] : models) {
    int indefinite = 0;
    for (const Mat3& f : smooth_states(model)) {
      const Mat9 k = piola_derivative(model, soft, f, false), projected = piola_derivative(model, soft, f, true);
      const Eigen::SelfAdjointEigenSolver<Mat9> eigen(k);
      // Nearest in the Frobenius norm: the same eigenvectors, no negative eigenvalue.
      const Mat9 nearest =
          eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
      EXPECT_LT((projected - nearest).norm(), 1e-13 * k.norm()) << name << "\n" << f;
      EXPECT_EQ(projected, projected.transpose()) << name;
      const bool positive = eigen.eigenvalues()[0] > 0;
      if (positive) {
        EXPECT_LE((projected - k).norm(), 1e-15 * k.norm()) << name << ": it is left as it is";
      }
      indefinite += !positive;
    }
    EXPECT_GT(indefinite, 5) << name << ": the states do not test the projection";
  }
}

TEST(Material, flat_and_inverted_elements_have_finite_stress_and_positive_stiffness) {
  for (const auto& [model, name] : models)
    for (const Mat3& f : degenerate_states()) {
      EXPECT_TRUE(first_piola(model, soft, f).allFinite()) << name << "\n" << f;
      EXPECT_TRUE(piola_derivative(model, soft, f, false).allFinite()) << name << "\n" << f;
      const Mat9 k = piola_derivative(model, soft, f, true);
      ASSERT_TRUE(k.allFinite()) << name << "\n" << f;
      EXPECT_GE(eigenvalues(k)[0], -1e-14 * (soft.mu + k.norm())) << name << "\n" << f;
      EXPECT_TRUE(std::isfinite(energy_density(model, soft, f)) || model == MaterialModel::neo_hookean) << name;
    }
}

TEST(Material, a_neo_hookean_solid_cannot_be_inverted) {
  constexpr auto model = MaterialModel::neo_hookean;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Lame& l : {soft, lame(1e5, 0)}) {
    EXPECT_EQ(energy_density(model, l, Mat3::Zero()), infinity);
    double before = 0;
    for (double j = 0.5; j > 1e-12; j /= 2) {
      const double energy = energy_density(model, l, Vec3(1, 1, j).asDiagonal());
      EXPECT_GT(energy, before);
      before = energy;
    }
    for (std::uint64_t key = 0; key < 10; ++key) {
      const Mat3 f = inverted(key), p = first_piola(model, l, f);
      EXPECT_EQ(energy_density(model, l, f), infinity);
      // Against the stress the volume grows: −P : ∂J/∂F > 0.
      EXPECT_GT(-p.cwiseProduct(f.determinant() * f.inverse().transpose()).sum(), 0);
    }
  }
}

TEST(Material, linear_elasticity_warped_by_the_rotation_gives_the_corotational_stress) {
  for (const Mat3& f : smooth_states(MaterialModel::corotational)) {
    const Mat3 r = polar(f).r;
    const Mat9 k = warped_stiffness(soft, r);
    EXPECT_EQ(k, k.transpose());
    // P = R (2μ (S − 1) + λ tr(S − 1)), and F − R = R (S − 1)
    EXPECT_LT((k * vec(f - r) - vec(first_piola(MaterialModel::corotational, soft, f))).norm(), 1e-13);
    // Linear elasticity's eigenvalues: 0 (three rotations), 2μ (five shears), 2μ + 3λ.
    const Vec9 values = eigenvalues(k);
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(values[i], i < 3 ? 0 : i < 8 ? 2 * soft.mu : 2 * soft.mu + 3 * soft.lambda, 1e-13);
  }
}

}  // namespace
}  // namespace coracle
