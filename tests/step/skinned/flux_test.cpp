#include "coracle/step/skinned/flux.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

using namespace validation;

double hill(const Vec3& x) { return hill_on_plate(x, -0.4, 0.35); }

TEST(Flux, fast_liquid_is_moved_on_where_it_is_and_slow_liquid_once) {
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell);
  const Vec3 slow(0.05, 0, 0), fast(2, 0, 0);  // 0.06 and 2.5 edges a step
  const double dt = 0.1;
  TetLiquid liquid = filled(
      shell, [](const Vec3& x) { return x.x() < -0.5 ? 0.5 : 0.0; }, [&](const Vec3&) { return slow; });
  const double wet = double(std::count_if(liquid.volume.begin(), liquid.volume.end(), [](double m) { return m > 0; }));
  // A little of the fast one far from it.
  int at = 0;
  const Vec3 from(0.2, 0, 0.1);
  for (int t = 0; t < int(shell.tets.size()); ++t)
    if ((centroid(shell, shell.x, t) - from).norm() < (centroid(shell, shell.x, at) - from).norm()) at = t;
  liquid.volume[at] = 0.3 * shell.volume[at], liquid.v[at] = fast;
  const auto fast_centre = [&] {
    TetLiquid only = liquid;
    for (int t = 0; t < int(shell.tets.size()); ++t)
      if (centroid(shell, shell.x, t).x() < 0) only.volume[t] = 0;
    return centre(shell, only);
  };
  const Vec3 start = fast_centre();
  Drops drops;
  FluxWork work;
  const FluxReport report = transport_by_flux(shell, moving, 0, dt, liquid, drops, work);
  EXPECT_GE(report.rounds, 10);
  // It spreads over a few tets a round.
  EXPECT_LT(double(report.moves), wet + 60.0 * report.rounds);
  EXPECT_GT(wet, 2000);
  // It went as far as it should, to half an edge: from one tet a flux does not reach the mean way.
  EXPECT_LT((fast_centre() - start - dt * fast).norm(), 0.5 * shell.edge);
}

TEST(Flux, the_smallest_amounts_do_not_stay_behind) {
  const SkinShell& shell = plate_shell();
  const MovingShell moving = still(shell);
  const Vec3 v(1, 0, 0), from(-0.4, 0, 0.05);
  const double dt = 0.3 * shell.edge;
  const int steps = 20;
  int at = 0;
  for (int t = 0; t < int(shell.tets.size()); ++t)
    if ((centroid(shell, shell.x, t) - from).norm() < (centroid(shell, shell.x, at) - from).norm()) at = t;
  for (const double share : {1e-12, 1e-8, 1e-5, 2e-5, 3e-5, 5e-5, 1e-4, 1e-3}) {
    TetLiquid liquid = filled(
        shell, [](const Vec3&) { return 0.0; }, [](const Vec3&) -> Vec3 { return Vec3::Zero(); });
    liquid.volume[at] = share * usual_volume(shell), liquid.v[at] = v;
    const Vec3 start = centre(shell, liquid);
    Drops drops;
    FluxWork work;
    for (int i = 0; i < steps; ++i) transport_by_flux(shell, moving, 0, dt, liquid, drops, work);
    const double way = (centre(shell, liquid) - start).x();
    EXPECT_GT(way, 0.7 * steps * dt) << share;
    EXPECT_LT(way, steps * (dt + 0.25 * shell.edge)) << share;  // a tet a step is possible
  }
}

TEST(Flux, keeps_volume_and_momentum_including_what_leaves) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  TetLiquid liquid = random_liquid(shell, 1, 2);
  const double volume = total(liquid.volume);
  const Vec3 start = momentum(liquid);
  Drops drops;
  FluxWork work;
  for (int i = 0; i < 5; ++i) transport_by_flux(shell, moving, 0, 0.02, liquid, drops, work);
  EXPECT_GT(total(drops.volume), 0.01 * volume);
  EXPECT_NEAR((total(liquid.volume) + total(drops.volume)) / volume, 1, 1e-13);
  EXPECT_LT((momentum(liquid) + momentum(drops) - start).norm(), 1e-13 * volume);
  for (const double m : liquid.volume) EXPECT_GE(m, 0);
}

TEST(Flux, nothing_passes_the_skin_and_what_leaves_is_outside_of_the_hull) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  // All liquid moves toward the centre: none can leave.
  const auto full = [](const Vec3&) { return 1.0; };
  TetLiquid liquid = filled(shell, full, [](const Vec3& x) -> Vec3 { return -x.normalized(); });
  const double volume = total(liquid.volume);
  Drops drops;
  FluxWork work;
  for (int i = 0; i < 10; ++i) transport_by_flux(shell, moving, 0, 0.02, liquid, drops, work);
  EXPECT_EQ(drops.size(), 0);
  EXPECT_NEAR(total(liquid.volume) / volume, 1, 1e-12);
  // All outward: after three times the thickness nearly all has left, through the hull.
  liquid = filled(shell, full, [](const Vec3& x) -> Vec3 { return x.normalized(); });
  for (int i = 0; i < 20; ++i) transport_by_flux(shell, moving, 0, 0.045, liquid, drops, work);
  EXPECT_GT(total(drops.volume), 0.95 * volume);
  // A drop is the mean of what left within two edges: at most (2 edges)²/2R below the hull.
  for (const Vec3& x : drops.x) EXPECT_NEAR(x.norm(), 0.8, 0.025);
}

TEST(Flux, mist_leaves_in_few_drops) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell);
  const auto mist = [](const Vec3&) { return 1e-5; };
  TetLiquid liquid = filled(shell, mist, [](const Vec3& x) -> Vec3 { return x.normalized(); });
  Drops drops;
  FluxWork work;
  transport_by_flux(shell, moving, 0, 0.05, liquid, drops, work);
  // At most a few on a patch of (2 edges)² of the hull, which has 200 of them and thousands of tets.
  EXPECT_LT(drops.size(), 1000);
  EXPECT_GT(drops.size(), 200);
  for (const Vec3& x : drops.x) EXPECT_NEAR(x.norm(), 0.8, 0.025) << "where it left";
}

TEST(Flux, shut_tets_take_nothing_in) {
  const SkinShell& shell = plate_shell();
  MovingShell moving;
  move_shell(
      shell, shell.x, shell.x, 1, 0, [](const Vec3& x) { return x.x() > 0; }, moving);
  TetLiquid liquid = filled(shell, hill, [](const Vec3&) { return Vec3(2, 0, 0); });
  Drops drops;
  FluxWork work;
  for (int i = 0; i < 10; ++i) transport_by_flux(shell, moving, 0, 0.05, liquid, drops, work);
  double beyond = 0;
  for (int t = 0; t < int(shell.tets.size()); ++t) beyond += moving.shut(t) ? liquid.volume[t] : 0;
  EXPECT_EQ(beyond, 0);
}

TEST(Flux, fur_keeps_its_residual) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell, 0.1);
  TetLiquid liquid = filled(
      shell, [](const Vec3&) { return 0.5; }, [](const Vec3& x) -> Vec3 { return x; });
  Drops drops;
  FluxWork work;
  for (int i = 0; i < 20; ++i) transport_by_flux(shell, moving, 0.2, 0.1, liquid, drops, work);
  for (int t = 0; t < int(shell.tets.size()); ++t) EXPECT_GE(liquid.volume[t] / moving.capacity[t], 0.2 - 1e-12);
  EXPECT_NEAR(total(liquid.volume) / (0.2 * total(moving.capacity)), 1, 0.05);
}

}  // namespace
}  // namespace coracle
