#include "coracle/step/skinned/fur.h"
#include "coracle/step/skinned/flux.h"
#include "tests/step/skinned/made_shell.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

constexpr double nu = 1e-6, g = 9.81, dt = 0.05;
constexpr Fur fur{.porosity = 0.9, .along = 2e-8, .across = 0.5e-8, .residual = 0.2};

std::vector<Vec3> same_fibres(const SkinShell& shell, const Vec3& direction) {
  return std::vector<Vec3>(shell.tets.size(), direction);
}

// Gravity along `down` and drag until nothing changes; the velocity of a tet that is filled to share f.
Vec3 final_velocity(const Vec3& down, const Vec3& fibre, double f) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell, 1 - fur.porosity);
  TetLiquid liquid = filled(
      shell, [&](const Vec3&) { return f * fur.porosity; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  for (int i = 0; i < 25; ++i) {
    for (Vec3& v : liquid.v) v += dt * g * down;
    drag(fur, same_fibres(shell, fibre), moving, nu, dt, liquid);
  }
  return liquid.v[0];
}

TEST(Fur, full_of_liquid_lets_it_run_at_the_speed_of_darcys_law) {
  // (1 − s) w = K g/ν
  const Vec3 fibre = Vec3(1, 2, -2) / 3;
  const Vec3 across = fibre.cross(Vec3::UnitX()).normalized();
  const double along_speed = fur.along * g / (nu * fur.porosity), across_speed = fur.across * g / (nu * fur.porosity);
  EXPECT_LT((final_velocity(fibre, fibre, 1) / along_speed - fibre).norm(), 1e-9);
  EXPECT_LT((final_velocity(across, fibre, 1) / across_speed - across).norm(), 1e-9);
  // Otherwise liquid turns aside, toward the fibres.
  const Vec3 down = -Vec3::UnitY();
  const Vec3 along = fibre * fibre.dot(down);
  EXPECT_LT((final_velocity(down, fibre, 1) - along_speed * along - across_speed * (down - along)).norm(), 1e-9);
}

TEST(Fur, slows_with_the_cube_of_what_is_mobile_and_holds_its_residual) {
  const Vec3 down = -Vec3::UnitY();
  const double full = final_velocity(down, down, 1).norm();
  EXPECT_NEAR(final_velocity(down, down, 0.6).norm() / full, 1.0 / 8, 1e-9);  // ((0.6 − 0.2)/0.8)³
  EXPECT_EQ(final_velocity(down, down, 0.2 - 1e-9).norm(), 0);
}

TEST(Fur, passes_the_volume_that_darcys_law_asks_for) {
  // Full fur over the plate; through a plane across it runs A k g/ν.
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell, 1 - fur.porosity);
  const auto over = [](const Vec3& x) { return x.z() > 0 && x.head<2>().cwiseAbs().maxCoeff() < 0.35 ? 0.9 : 0.0; };
  TetLiquid liquid = filled(shell, over, [](const Vec3&) { return Vec3(0, 0, 0); });
  const TetLiquid start = liquid;
  Drops drops;
  FluxWork work;
  const double volume = total(liquid.volume);
  const auto moment = [&](const TetLiquid& l) {
    double sum = 0;  // of the tets that stay full: those away from the ends change nothing
    for (int t = 0; t < int(shell.tets.size()); ++t) sum += l.volume[t] * centroid(shell, shell.x, t).x();
    return sum;
  };
  const double speed = fur.along * g / (nu * fur.porosity);
  // Reach the final velocity first, then let it run for a twentieth of an edge.
  for (int i = 0; i < 25; ++i) {
    for (std::size_t t = 0; t < liquid.v.size(); ++t)
      if (liquid.volume[t] > 0) liquid.v[t] += dt * Vec3(g, 0, 0);
    drag(fur, same_fibres(shell, Vec3::UnitX()), moving, nu, dt, liquid);
  }
  const double time = 0.05 * shell.edge / speed;
  transport_by_flux(shell, moving, fur.residual, time, liquid, drops, work);
  EXPECT_NEAR((moment(liquid) - moment(start)) / (volume * time * speed), 1, 0.01);
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
