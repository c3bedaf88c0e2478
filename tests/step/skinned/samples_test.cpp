#include "coracle/step/skinned/samples.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

#include <numbers>

namespace coracle {
namespace {

using namespace validation;

// How far the centre of volume goes in a step, in edges, when liquid moves with `courant` edges a step.
Vec3 way(const Vec3& courant, int steps) {
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = filled(
      shell, [](const Vec3& x) { return hill_on_plate(x, 0, 0.3); }, [&](const Vec3&) { return courant; });
  Drops drops;
  SampleWork work;
  const Vec3 start = centre(shell, liquid);
  for (int i = 0; i < steps; ++i) transport_by_samples(shell, shell.x, moving, shell.edge, {}, liquid, drops, work);
  return (centre(shell, liquid) - start) / (steps * shell.edge);
}

TEST(Samples, go_as_far_as_the_liquid_up_to_a_tenth_of_an_edge) {
  for (const double degrees : {6.0, 97.0, 215.0})
    for (const double courant : {0.75, 1.5}) {
      const double angle = degrees * std::numbers::pi / 180;
      const Vec3 u = courant * Vec3(std::cos(angle), std::sin(angle), 0);
      EXPECT_LT((way(u, 1) - u).norm(), 0.1) << degrees << " " << courant;
    }
}

TEST(Samples, keep_volume_and_momentum_including_what_leaves) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = random_liquid(shell, 1, 2);
  const double volume = total(liquid.volume);
  const Vec3 start = momentum(liquid);
  Drops drops;
  SampleWork work;
  for (int i = 0; i < 3; ++i) transport_by_samples(shell, shell.x, moving, 0.05, {}, liquid, drops, work);
  EXPECT_GT(total(drops.volume), 0.01 * volume);
  EXPECT_NEAR((total(liquid.volume) + total(drops.volume)) / volume, 1, 1e-13);
  EXPECT_LT((momentum(liquid) + momentum(drops) - start).norm(), 1e-13 * volume);
  for (const Vec3& x : drops.x) EXPECT_GT(x.norm(), 0.77) << "none passes the skin";
}

TEST(Samples, liquid_that_turns_with_the_shell_stays_in_its_tets) {
  const SkinShell& shell = ball_shell();
  const Mat3 turn = rotation_xyz({0, 0, 3});
  std::vector<Vec3> x = shell.x;
  for (Vec3& p : x) p = turn * p;
  MovingShell moving;
  move_shell(shell, shell.x, x, 0.01, 0, {}, moving);
  TetLiquid liquid = random_liquid(shell, 1, 0);
  for (std::size_t t = 0; t < liquid.v.size(); ++t)
    if (liquid.volume[t] > 0) liquid.v[t] = moving.v[t];
  const TetLiquid start = liquid;
  Drops drops;
  SampleWork work;
  transport_by_samples(shell, shell.x, moving, 0.01, {}, liquid, drops, work);
  for (std::size_t t = 0; t < liquid.v.size(); ++t)
    EXPECT_NEAR(liquid.volume[t] / shell.volume[t], start.volume[t] / shell.volume[t], 1e-14);
}

TEST(Samples, liquid_that_many_ask_for_is_shared_among_them) {
  // The shell grows to 27 times its volume: every tet is asked for more than it has.
  const SkinShell& shell = ball_shell();
  std::vector<Vec3> x = shell.x;
  for (Vec3& p : x) p *= 3;
  MovingShell moving;
  move_shell(shell, shell.x, x, 0.01, 0, {}, moving);
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 0.5; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  liquid.v = moving.v;
  const double volume = total(liquid.volume);
  Drops drops;
  SampleWork work;
  transport_by_samples(shell, shell.x, moving, 0.01, {}, liquid, drops, work);
  EXPECT_NEAR(total(liquid.volume), volume, 1e-12 * volume);
  double least = 1e9;
  for (std::size_t t = 0; t < liquid.v.size(); ++t) least = std::min(least, liquid.volume[t] / (0.5 * shell.volume[t]));
  EXPECT_GT(least, 0) << "first come, first served would leave some tets empty";
}

TEST(Samples, outside_of_the_shell_the_bulk_takes_and_gives) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  // Liquid in tets moves inward by a third of the shell: points behind it lie in the bulk, which is full.
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 1.0; }, [](const Vec3& x) -> Vec3 { return -x; });
  const double before = total(liquid.volume);
  Drops drops;
  SampleWork work;
  double taken = 0, given = 0;
  SampleHooks hooks;
  hooks.take = [&](const Vec3& at, double volume) {
    EXPECT_GT(at.norm(), 0.79);
    taken += volume;
    return SampleHooks::Taken{.volume = volume, .v = Vec3(1, 0, 0)};
  };
  hooks.give = [&](const Vec3& at, const Vec3&, double volume) {
    EXPECT_GT(at.norm(), 0.79);
    given += volume;
  };
  hooks.clamp = [](const Vec3&, const Vec3& to) -> Vec3 { return to.norm() < 0.5 ? Vec3(0.5 * to.normalized()) : to; };
  transport_by_samples(shell, shell.x, moving, 0.15, hooks, liquid, drops, work);
  EXPECT_NEAR(total(liquid.volume), before + taken - given, 1e-12 * before);
  EXPECT_GT(taken, 0.1 * before);
  EXPECT_EQ(drops.size(), 0);
}

}  // namespace
}  // namespace coracle
