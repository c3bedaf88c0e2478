#include "coracle/step/sph/kernels.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

constexpr double support = 0.3;

// ∫ f over [from, to] by Simpson's rule; f is smooth but for kinks of its third derivative.
template <class F>
double integral(double from, double to, F&& f) {
  constexpr int pieces = 2000;
  const double h = (to - from) / pieces;
  double sum = f(from) + f(to);
  for (int i = 1; i < pieces; ++i) sum += (i % 2 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

double spiky_kernel(double r) {
  return r < support ? 15 / (M_PI * std::pow(support, 6)) * std::pow(support - r, 3) : 0;
}

// Over the plane at a distance z.
template <class W>
double over_plane(double z, W&& w) {
  const double radius = std::sqrt(std::max(support * support - z * z, 0.0));
  return integral(0, radius, [&](double s) { return 2 * M_PI * s * w(std::sqrt(s * s + z * z)); });
}
double cubic(double r) { return cubic_kernel(r, support); }

TEST(Kernels, integrate_to_one_over_space) {
  EXPECT_NEAR(integral(0, support, [](double r) { return 4 * M_PI * r * r * cubic(r); }), 1, 1e-9);
  EXPECT_NEAR(integral(0, support, [](double r) { return 4 * M_PI * r * r * spiky_kernel(r); }), 1, 1e-9);
}

TEST(Kernels, the_spiky_slope_is_the_derivative_of_its_kernel) {
  for (const double r : {0.01, 0.1, 0.2, 0.29}) {
    const double h = 1e-5, slope = -(spiky_kernel(r + h) - spiky_kernel(r - h)) / (2 * h) / r;
    EXPECT_NEAR(spiky_slope(r, support) / slope, 1, 1e-6) << r;
  }
  EXPECT_EQ(spiky_slope(support, support), 0);
}

TEST(Kernels, a_plane_cuts_off_what_integration_over_the_space_beyond_it_gives) {
  EXPECT_NEAR(cubic_share(0, support), 0.5, 1e-12);
  for (const double d : {0.0, 0.05, 0.149, 0.151, 0.25, 0.299}) {
    const double beyond = integral(d, support, [](double z) { return over_plane(z, cubic); });
    EXPECT_NEAR(cubic_share(d, support), beyond, 1e-6) << d;
  }
  EXPECT_EQ(cubic_share(support, support), 0);
}

TEST(Kernels, the_slope_of_the_spiky_share_is_its_integral_over_the_plane) {
  for (const double d : {0.0, 0.05, 0.15, 0.25, 0.299})
    EXPECT_NEAR(spiky_share_slope(d, support), over_plane(d, spiky_kernel), 1e-6 * spiky_share_slope(0, support)) << d;
  EXPECT_EQ(spiky_share_slope(support, support), 0);
}

}  // namespace
}  // namespace coracle
