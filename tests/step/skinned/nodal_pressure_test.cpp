#include "coracle/step/skinned/nodal_pressure.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace coracle {
namespace {

using namespace validation;

const auto full = [](const Vec3&) { return 1.0; };

double energy(const TetLiquid& liquid) {
  double sum = 0;
  for (std::size_t t = 0; t < liquid.v.size(); ++t) sum += 0.5 * liquid.volume[t] * liquid.v[t].squaredNorm();
  return sum;
}

TEST(NodalPressure, leaves_liquid_alone_that_moves_on_with_the_skin) {
  const SkinShell& shell = ball_shell();
  const Vec3 u(0.3, -0.2, 0.5);
  std::vector<Vec3> x = shell.x;
  for (Vec3& p : x) p += 0.01 * u;
  MovingShell moving;
  move_shell(shell, shell.x, x, 0.01, 0, {}, moving);
  TetLiquid liquid = filled(shell, full, [&](const Vec3&) { return u; });
  PressureWork work;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  for (const Vec3& v : liquid.v) EXPECT_LT((v - u).norm(), 1e-10);
}

TEST(NodalPressure, is_a_projection_that_takes_energy_away) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = random_liquid(shell, 1, 1);
  for (std::size_t t = 0; t < liquid.v.size(); ++t) liquid.volume[t] = shell.volume[t];
  const double start = energy(liquid);
  PressureWork work;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  const double once = energy(liquid);
  EXPECT_LT(once, 0.95 * start);
  const TetLiquid before = liquid;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  for (std::size_t t = 0; t < liquid.v.size(); ++t) EXPECT_LT((liquid.v[t] - before.v[t]).norm(), 1e-5);
  EXPECT_NEAR(energy(liquid) / once, 1, 1e-9);
}

TEST(NodalPressure, takes_the_gradient_of_any_pressure_away_that_is_zero_at_the_hull) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  std::vector<double> q(shell.x.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = uniform(1, i);
  for (int t = 0; t < int(shell.tets.size()); ++t)
    for (int f = 0; f < 4; ++f)
      if (shell.neighbours[t][f] == SkinShell::outside)
        for (int k = 0; k < 4; ++k)
          if (k != f) q[shell.tets[t][k]] = 0;
  TetLiquid liquid = filled(shell, full, [](const Vec3&) { return Vec3(0, 0, 0); });
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    const Vec4i& n = shell.tets[t];
    Mat3 edges;
    edges << shell.x[n[1]] - shell.x[n[0]], shell.x[n[2]] - shell.x[n[0]], shell.x[n[3]] - shell.x[n[0]];
    liquid.v[t] = edges.transpose().inverse() * Vec3(q[n[1]] - q[n[0]], q[n[2]] - q[n[0]], q[n[3]] - q[n[0]]);
  }
  const double start = energy(liquid);
  PressureWork work;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  EXPECT_LT(energy(liquid), 1e-12 * start) << "the solver stops at 1e-8";
}

TEST(NodalPressure, carries_liquid_at_rest_over_a_plate) {
  // v = Δt g is the gradient of a linear pressure. Disturbances of the rim decay as exp(−πd/2T): at d = 0.4, T = 0.12
  // to 0.5 %.
  const SkinShell shell = make_skin_shell(box_mesh({-0.5, -0.5, -0.1}, {0.5, 0.5, 0}), 0.06, 0.12);
  const MovingShell moving = still(shell);
  TetLiquid liquid = filled(shell, full, [](const Vec3&) { return Vec3(0, 0, -1); });
  PressureWork work;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  int tets = 0;
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    const Vec3 x = centroid(shell, shell.x, t);
    if (x.z() < 0 || x.head<2>().cwiseAbs().maxCoeff() > 0.1) continue;
    EXPECT_LT(liquid.v[t].norm(), 0.01);
    ++tets;
  }
  EXPECT_GT(tets, 100);
}

TEST(NodalPressure, does_not_act_on_a_lump_that_falls_freely) {
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell);
  const auto lump = [](const Vec3& x) { return (x - Vec3(0.1, 0, 0.13)).norm() < 0.12 ? 1.0 : 0.0; };
  TetLiquid liquid = filled(shell, lump, [](const Vec3&) { return Vec3(0, 0, -1); });
  PressureWork work;
  EXPECT_GT(total(liquid.volume), 0.004);
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  for (std::size_t t = 0; t < liquid.v.size(); ++t)
    if (liquid.volume[t] > 0) {
      EXPECT_LT((liquid.v[t] - Vec3(0, 0, -1)).norm(), 1e-10);
    }
}

TEST(NodalPressure, acts_only_where_tets_are_half_full) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 0.4; }, [](const Vec3&) { return Vec3(0, -1, 0); });
  PressureWork work;
  EXPECT_EQ(project_by_pressure(shell, moving, liquid, work).status, SolveStatus::converged);
  for (const Vec3& v : liquid.v) EXPECT_EQ(v, Vec3(0, -1, 0));
}

}  // namespace
}  // namespace coracle
