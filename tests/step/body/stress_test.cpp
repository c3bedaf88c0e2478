#include "coracle/step/body/stress.h"

#include "coracle/base/random.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/world/bodies.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace coracle {
namespace {

constexpr MaterialModel models[] = {MaterialModel::corotational, MaterialModel::st_venant_kirchhoff,
                                    MaterialModel::fixed_corotated, MaterialModel::stable_neo_hookean,
                                    MaterialModel::neo_hookean};
constexpr double round_off = 1e-13;  // of stresses of order one: some hundred roundings

const Lame soft{1.0, 1.7};  // Pa
const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(3, -1, 2).normalized()).toRotationMatrix();

Mat3 diagonal(double a, double b, double c) { return Vec3(a, b, c).asDiagonal(); }

TEST(Stress, a_stretch_along_one_axis_follows_the_formula_of_its_material) {
  for (const double s : {0.6, 1.0, 1.7}) {
    const auto [mu, lambda] = soft;
    const double e = (s * s - 1) / 2, i = s * s + 2;
    const double expected[] = {
        (2 * mu + lambda) * (s - 1) - lambda * (s - 1) / s,  // corotational: P = 2μ (S − 1) + λ tr(S − 1)
        s * (2 * mu + lambda) * e - lambda * e / s,          // St. Venant–Kirchhoff: P = F (2μ E + λ tr E)
        2 * mu * (s - 1),                                    // fixed corotated: λ (J − 1) is a pressure
        4.0 / 3 * mu * i / (i + 1) * (s * s - 1) / s,  // stable neo-Hookean: σ = μ' I / (I + 1) FFᵀ / J + pressure
        mu * (s * s - 1) / s,                          // neo-Hookean: σ = μ FFᵀ / J + pressure
    };
    for (int m = 0; m < 5; ++m) {
      const Mat3 f = diagonal(s, 1, 1);
      EXPECT_NEAR(von_mises(cauchy_stress(models[m], soft, f)), std::abs(expected[m]), round_off) << m << " " << s;
      // The same whichever way the body is turned, before and after.
      EXPECT_NEAR(von_mises(cauchy_stress(models[m], soft, turn * f * turn)), std::abs(expected[m]), round_off);
    }
  }
}

TEST(Stress, a_bar_that_is_only_pulled_feels_youngs_modulus_over_its_thinned_section) {
  // Corotational with sides free: S₂ = 1 − ν (S₁ − 1), P₁ = E (S₁ − 1), σ₁ = P₁ over the section's share S₂².
  const double young = 3e5, poisson = 0.3, s = 1.2, side = 1 - poisson * (s - 1);
  const Mat3 stress = cauchy_stress(MaterialModel::corotational, lame(young, poisson), diagonal(s, side, side));
  const double expected = young * (s - 1) / (side * side);
  EXPECT_NEAR(stress(0, 0), expected, 1e-12 * expected);
  EXPECT_NEAR(stress(1, 1), 0, 1e-12 * expected);
  EXPECT_NEAR(von_mises(stress), expected, 1e-12 * expected);
}

TEST(Stress, compression_from_all_sides_is_pressure_alone) {
  const double c = 0.8;
  const Mat3 f = c * turn;
  for (const MaterialModel model : models) {
    const Mat3 stress = cauchy_stress(model, soft, f);
    EXPECT_NEAR(von_mises(stress), 0, round_off);
    EXPECT_LT(stress.trace(), 0);
  }
  const double bulk = soft.lambda + 2.0 / 3 * soft.mu;
  const Mat3 stress = cauchy_stress(MaterialModel::corotational, soft, f);
  EXPECT_NEAR(stress.trace() / 3, 3 * bulk * (c - 1) / (c * c), round_off);  // P = 3K (c − 1), σ = P c / c³
}

TEST(Stress, a_turn_is_no_stress) {
  for (const MaterialModel model : models) EXPECT_LT(cauchy_stress(model, soft, turn).norm(), round_off);
}

TEST(Stress, flat_and_inverted_tets_have_finite_stress) {
  for (const MaterialModel model : models)
    for (const Mat3& f : {diagonal(1, 1, 0), diagonal(1, 1, -1), diagonal(1, 1, -1e-9), Mat3(Mat3::Zero())})
      EXPECT_TRUE(cauchy_stress(model, soft, f).allFinite());
  // A mirror image has the size that it had: corotational P = diag(−2λ, −2λ, −4μ − 2λ), and P Fᵀ is not blown up.
  const Mat3 mirrored = cauchy_stress(MaterialModel::corotational, soft, diagonal(1, 1, -1));
  EXPECT_NEAR(von_mises(mirrored), 4 * soft.mu + 4 * soft.lambda, round_off);
}

TEST(Stress, a_nodes_value_is_the_mean_of_its_tets_by_volume) {
  auto rest = std::make_shared<BodyRest>();
  rest->x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -3}};
  Tets& tets = std::get<Tets>(rest->elements);
  tets.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  for (const Vec4i& t : tets.tets) {
    Mat3 edges;
    for (int c = 0; c < 3; ++c) edges.col(c) = rest->x[t[c + 1]] - rest->x[t[0]];
    tets.inverse_edges.push_back(edges.inverse());
    tets.volume.push_back(edges.determinant() / 6);
  }
  Body body{"pair", rest, rest->x, std::vector<Vec3>(5, Vec3::Zero()), {}};
  body.x[3].z() = 1.5;  // stretches the first tet, a quarter of the volume, and leaves the other as it was
  const VonMises found = von_mises(body);
  const double one = found.elements[0];
  const auto [mu, lambda] = lame(rest->options.young, rest->options.poisson);
  EXPECT_NEAR(one, (2 * mu + lambda) * 0.5 - lambda * 0.5 / 1.5, 1e-9 * one);
  EXPECT_NEAR(found.elements[1], 0, 1e-9 * one);
  const double expected[] = {one / 4, one / 4, one / 4, one, 0};
  for (int n = 0; n < 5; ++n) EXPECT_NEAR(found.nodes[n], expected[n], 1e-9 * one) << n;
}

TEST(Quality, the_regular_tet_has_one_its_mirror_minus_one_and_no_other_more) {
  const Vec3 a(1, 1, 1), b(-1, 1, -1), c(1, -1, -1), d(-1, -1, 1);
  EXPECT_NEAR(std::abs(tet_quality(a, b, c, d)), 1, 1e-15);
  const double sign = tet_volume(a, b, c, d) > 0 ? 1 : -1;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const auto placed = [&](const Vec3& x) -> Vec3 { return scale * (turn * x); };
    EXPECT_NEAR(tet_quality(placed(a), placed(b), placed(c), placed(d)), sign, 1e-14);
    EXPECT_NEAR(tet_quality(placed(b), placed(a), placed(c), placed(d)), -sign, 1e-14);
  }
  EXPECT_EQ(tet_quality(a, a, a, a), 0);
  EXPECT_NEAR(tet_quality(a, b, c, (a + b + c) / 3), 0, 1e-15);
  for (std::uint64_t key = 0; key < 1000; ++key) {
    Vec3 x[4];
    for (int i = 0; i < 12; ++i) x[i / 3][i % 3] = uniform(key, i);
    EXPECT_LE(std::abs(tet_quality(x[0], x[1], x[2], x[3])), 1);
  }
}

TEST(Quality, a_body_is_as_good_as_its_worst_tet) {
  BodyOptions options;
  options.mesh = BodyMesh::grid5;
  options.shape.kind = ShapeKind::box;
  options.shape.size = Vec3::Ones();
  options.cells = Vec3i(3, 3, 3);
  Body body = build_body(options);
  // The corner tets of a cube: V = 1/6, three edges of 1 and three of √2.
  EXPECT_NEAR(least_quality(body), std::sqrt(2.0) / std::pow(1.5, 1.5), 1e-14);
  body.x[body.rest->skin.nodes[0]] += Vec3::Constant(10);  // a corner pushed through its tet
  EXPECT_LT(least_quality(body), 0);
}

}  // namespace
}  // namespace coracle
