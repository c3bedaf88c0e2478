#include "coracle/step/skinned/preserve.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

double fullest(const MovingShell& moving, const TetLiquid& liquid) {
  double most = 0;
  for (int t = 0; t < int(liquid.volume.size()); ++t)
    if (liquid.volume[t] > 0) most = std::max(most, liquid.volume[t] / moving.capacity[t]);
  return most;
}

TEST(Preserve, smear_and_pushout_keep_volume_and_momentum) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = random_liquid(shell, 2, 1);
  const double volume = total(liquid.volume);
  const Vec3 start = momentum(liquid);
  Drops drops;
  PreserveWork work;
  smear(shell, moving, liquid, work);
  EXPECT_NEAR(total(liquid.volume) / volume, 1, 1e-13);
  EXPECT_LT((momentum(liquid) - start).norm(), 1e-13 * volume);
  pushout(shell, moving, liquid, drops, work);
  EXPECT_GT(total(drops.volume), 0);
  EXPECT_NEAR((total(liquid.volume) + total(drops.volume)) / volume, 1, 1e-13);
  EXPECT_LT((momentum(liquid) + momentum(drops) - start).norm(), 1e-13 * volume);
}

TEST(Preserve, one_sweep_of_pushout_leaves_no_tet_above_its_capacity) {
  for (const double most : {1.2, 2.0, 20.0}) {
    const SkinShell& shell = ball_shell();
    // With tets that are shut.
    MovingShell moving;
    move_shell(
        shell, shell.x, shell.x, 1, 0.05, [](const Vec3& x) { return x.y() > 0.2 && x.x() < 0.3; }, moving);
    TetLiquid liquid = random_liquid(shell, most, 1);
    Drops drops;
    PreserveWork work;
    pushout(shell, moving, liquid, drops, work);
    EXPECT_LE(fullest(moving, liquid), 1 + 1e-13);
    for (int t = 0; t < int(shell.tets.size()); ++t) {
      EXPECT_GE(liquid.volume[t], 0);
      if (moving.shut(t)) {
        EXPECT_EQ(liquid.volume[t], 0);
      }
    }
    for (const Vec3& x : drops.x) EXPECT_GT(x.norm(), 0.79) << "drops leave through the hull";
  }
}

TEST(Preserve, excess_that_has_room_beside_it_stays_beside_it) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  const int t = shell.order[shell.order.size() / 2];
  for (const bool by_smear : {false, true}) {
    TetLiquid liquid = no_liquid(shell);
    liquid.volume[t] = 1.4 * moving.capacity[t];
    liquid.v[t] = Vec3(1, 2, 3);
    Drops drops;
    PreserveWork work;
    if (by_smear)
      smear(shell, moving, liquid, work);
    else
      pushout(shell, moving, liquid, drops, work);
    EXPECT_EQ(liquid.volume[t], moving.capacity[t]);
    for (const int other : shell.neighbours[t]) {
      ASSERT_GE(other, 0);
      EXPECT_NEAR(liquid.volume[other], 0.1 * moving.capacity[t], 1e-17) << "equal shares";
      EXPECT_EQ(liquid.v[other], Vec3(1, 2, 3));
    }
    EXPECT_EQ(drops.size(), 0);
  }
}

TEST(Preserve, liquid_does_not_run_into_the_skin_nor_into_full_tets_above_it) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  const auto full = [](const Vec3&) { return 1.0; };
  TetLiquid liquid = filled(shell, full, [](const Vec3& x) -> Vec3 { return -x.normalized(); });
  PreserveWork work;
  for (int i = 0; i < 30; ++i) {  // clamps for two faces of one tet disturb each other a little
    stop_at_walls(shell, moving, liquid);
    correct_velocities(shell, moving, liquid, work);
  }
  double inflow = 0, before = 0;
  for (int t = 0; t < int(shell.tets.size()); ++t)
    for (int f = 0; f < 4; ++f) {
      const int lower = shell.neighbours[t][f];
      const Vec3 area = moving.face_area(t, f);
      const Vec3 radial = -centroid(shell, shell.x, t).normalized();
      if (lower == SkinShell::skin) {
        inflow += std::max(0.0, liquid.v[t].dot(area)), before += std::max(0.0, radial.dot(area));
      } else if (lower >= 0 && shell.rank[lower] < shell.rank[t]) {
        inflow += std::max(0.0, (liquid.v[t] - liquid.v[lower]).dot(area)), before += std::max(0.0, radial.dot(area));
      }
    }
  EXPECT_LT(inflow, 0.01 * before);
}

TEST(Preserve, one_pass_of_the_correction_adds_no_energy_to_liquid_that_falls_on_skin_at_rest) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 1.0; }, [](const Vec3&) { return Vec3(0, -1, 0); });
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t t = 0; t < liquid.v.size(); ++t) sum += 0.5 * liquid.volume[t] * liquid.v[t].squaredNorm();
    return sum;
  };
  const double start = energy();
  PreserveWork work;
  stop_at_walls(shell, moving, liquid);
  EXPECT_LT(energy(), start);
  correct_velocities(shell, moving, liquid, work);
  EXPECT_LT(energy(), start);
}

TEST(Preserve, liquid_that_turns_with_the_shell_or_leaves_it_is_not_corrected) {
  const SkinShell& shell = ball_shell();
  std::vector<Vec3> x = shell.x;
  const Mat3 turn = rotation_xyz({3, 5, 7});
  for (Vec3& p : x) p = turn * p + Vec3(0.1, 0, 0);
  MovingShell moving;
  move_shell(shell, shell.x, x, 0.01, 0, {}, moving);
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 1.0; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  liquid.v = moving.v;
  PreserveWork work;
  stop_at_walls(shell, moving, liquid);
  correct_velocities(shell, moving, liquid, work);
  for (std::size_t t = 0; t < liquid.v.size(); ++t) EXPECT_EQ(liquid.v[t], moving.v[t]);
}

TEST(Preserve, what_is_cut_off_is_counted) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = random_liquid(shell, 2, 1);
  const double volume = total(liquid.volume);
  const double lost = cut_off_excess(moving, liquid);
  EXPECT_GT(lost, 0.1 * volume);
  EXPECT_NEAR(total(liquid.volume) + lost, volume, 1e-13);
  EXPECT_LE(fullest(moving, liquid), 1);
}

}  // namespace
}  // namespace coracle
