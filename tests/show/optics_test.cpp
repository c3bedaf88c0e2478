#include "coracle/show/optics.h"

#include "coracle/show/samples.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <set>

namespace coracle {
namespace {

TEST(Optics, water_mirrors_two_percent_at_normal_incidence) {
  EXPECT_NEAR(fresnel(1, water_index), 0.33 * 0.33 / (2.33 * 2.33), 1e-7);  // ((n − 1) / (n + 1))² = 0.0201
  EXPECT_NEAR(fresnel(1, 1 / water_index), fresnel(1, water_index), 1e-6f);
  EXPECT_NEAR(fresnel(0, water_index), 1, 1e-6f);
}

TEST(Optics, what_is_wet_is_darker_unless_it_is_black_or_white) {
  EXPECT_EQ(wet_color(Vec3f::Zero()), Vec3f::Zero());
  EXPECT_LT((wet_color(Vec3f::Ones()) - Vec3f::Ones()).norm(), 1e-6f);
  // Light in the film: a share a leaves the surface, of which 1/n² passes the film's surface and the rest comes back.
  const float a = 0.4f, out = 1 / (water_index * water_index);
  float sum = 0, there = 1;
  for (int i = 0; i < 60; ++i) sum += there * a * out, there *= a * (1 - out);
  EXPECT_NEAR(wet_color(Vec3f::Constant(a)).x(), sum, 1e-6f);
  EXPECT_LT(sum, 0.7f * a);
}

TEST(Optics, as_much_is_mirrored_on_the_way_in_as_on_the_way_out) {
  for (float degrees = 0; degrees < 90; degrees += 3) {
    const float angle = degrees * float(M_PI) / 180, out = std::asin(std::sin(angle) / water_index);
    EXPECT_NEAR(fresnel(std::cos(angle), water_index), fresnel(std::cos(out), 1 / water_index), 2e-5f) << degrees;
  }
}

TEST(Optics, light_that_passes_obeys_maxwell) {
  // The transmitted share from the amplitudes of both polarisations: T = n₂ cos θ₂ / (n₁ cos θ₁) t², and R + T = 1.
  for (float degrees = 0; degrees < 89; degrees += 4) {
    const double in = degrees * M_PI / 180, n = water_index, out = std::asin(std::sin(in) / n);
    const double ts = 2 * std::cos(in) / (std::cos(in) + n * std::cos(out));
    const double tp = 2 * std::cos(in) / (n * std::cos(in) + std::cos(out));
    const double t = n * std::cos(out) / std::cos(in) * 0.5 * (ts * ts + tp * tp);
    EXPECT_NEAR(fresnel(float(std::cos(in)), water_index) + t, 1, 2e-5) << degrees;
  }
}

TEST(Optics, nothing_passes_beyond_the_critical_angle) {
  const float critical = std::asin(1 / water_index);  // 48.8°
  EXPECT_EQ(fresnel(std::cos(critical + 0.01f), 1 / water_index), 1);
  EXPECT_LT(fresnel(std::cos(critical - 0.01f), 1 / water_index), 1);
}

TEST(Optics, snell_keeps_the_index_times_the_tangential_part) {
  const Vec3f n = Vec3f(0.2f, 1, -0.3f).normalized();
  for (float x = -0.9f; x < 1; x += 0.3f) {
    const Vec3f d = (Vec3f(x, 0.1f, 0.4f) - n).normalized();
    if (d.dot(n) >= 0) continue;
    const Vec3f t = refracted(d, n, water_index);
    EXPECT_LT((n.cross(d) - water_index * n.cross(t)).norm(), 1e-5f);
    EXPECT_NEAR(t.norm(), 1, 1e-6f);
    EXPECT_LT((refracted(-t, -n, 1 / water_index) + d).norm(), 1e-5f) << "and back the same way";
    EXPECT_LT((n.cross(d) - n.cross(reflected(d, n))).norm(), 1e-6f);
  }
}

TEST(Optics, twice_the_depth_lets_the_square_through) {
  const Vec3f a(0.1f, 0.5f, 2);
  EXPECT_LT((attenuated(a, 2) - attenuated(a, 1).cwiseProduct(attenuated(a, 1))).norm(), 1e-6f);
}

TEST(Samples, sixteen_of_them_lie_in_sixteen_squares_whatever_the_pixel_and_use) {
  for (const std::uint64_t pixel : {0ull, 17ull, 123456789ull})
    for (int use = 0; use < 4; ++use) {
      std::set<int> squares, columns;
      for (std::uint32_t i = 0; i < 16; ++i) {
        Samples samples(pixel, i);
        Sample2 s{};
        for (int u = 0; u <= use; ++u) s = samples.next();
        squares.insert(int(4 * s.x) + 4 * int(4 * s.y));
        columns.insert(int(16 * s.x));
      }
      EXPECT_EQ(squares.size(), 16);
      EXPECT_EQ(columns.size(), 16);
    }
}

}  // namespace
}  // namespace coracle
