#include "coracle/step/skinned/fur.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

constexpr Fur fur{.porosity = 0.9, .along = 2e-8, .across = 0.5e-8, .residual = 0.2};

TEST(Fur, slows_with_the_cube_of_what_is_mobile_and_holds_its_residual) {
  const Vec3 down = -Vec3::UnitY();
  const double full = velocity_in_fur(fur, down, down, 1).norm();
  EXPECT_NEAR(velocity_in_fur(fur, down, down, 0.6).norm() / full, 1.0 / 8, 1e-9);  // ((0.6 − 0.2)/0.8)³
  EXPECT_EQ(velocity_in_fur(fur, down, down, 0.2 - 1e-9).norm(), 0);
}

TEST(Fur, fibres_turn_and_bend_with_the_tets) {
  const SkinShell& shell = ball_shell();
  const std::vector<Vec3> rest = upright_fibres(shell);
  for (int t = 0; t < int(shell.tets.size()); ++t)
    EXPECT_GT(rest[t].dot(centroid(shell, shell.x, t).normalized()), 0.9) << "upright";
  Mat3 a;
  a << 1, 0.3, 0, -0.2, 1.5, 0.1, 0.4, 0, 0.7;
  std::vector<Vec3> x = shell.x, now;
  for (Vec3& p : x) p = a * p + Vec3(1, 2, 3);
  deform_fibres(shell, rest, x, now);
  for (std::size_t t = 0; t < rest.size(); ++t) EXPECT_LT((now[t] - (a * rest[t]).normalized()).norm(), 1e-11);
}

}  // namespace
}  // namespace coracle
