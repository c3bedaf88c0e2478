#include "coracle/step/skinned/tet_stage.h"
#include "coracle/base/parallel.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

const std::vector<TetOptions> every_kind = [] {
  std::vector<TetOptions> kinds;
  for (const SkinTransport transport : {SkinTransport::flux, SkinTransport::samples})
    for (const SkinPreserve preserve : {SkinPreserve::paper, SkinPreserve::poisson_pushout}) {
      TetOptions options;
      options.transport = transport;
      options.preserve = preserve;
      kinds.push_back(options);
    }
  kinds.push_back(kinds[0]);
  kinds.back().fur = {.porosity = 0.95, .along = 2e-8, .across = 1e-8, .residual = 0.2};
  return kinds;
}();

TEST(TetStage, keeps_volume_and_fractions_on_a_shell_that_tumbles) {
  for (const TetOptions& options : every_kind) {
    Ride ride;
    ride.options = options;
    ride.liquid = random_liquid(ride.shell, 1, 1);
    const double volume = ride.all();
    for (int i = 1; i <= 8; ++i) {
      ride.step(Tumble{i * ride.dt});
      EXPECT_NEAR(ride.all() / volume, 1, 1e-12);
      EXPECT_EQ(ride.report.lost, 0);
      for (std::size_t t = 0; t < ride.liquid.volume.size(); ++t) {
        ASSERT_GE(ride.liquid.volume[t], 0);
        ASSERT_LE(ride.liquid.volume[t], (1 + 1e-13) * ride.moving.capacity[t]);
      }
    }
  }
}

TEST(TetStage, without_pushout_the_poisson_equation_loses_volume) {
  Ride ride;
  ride.options.preserve = SkinPreserve::poisson;
  ride.liquid = random_liquid(ride.shell, 1, 1);
  const double volume = ride.all();
  double lost = 0;
  for (int i = 1; i <= 8; ++i) {
    ride.step(Tumble{i * ride.dt});
    lost += ride.report.lost;
  }
  EXPECT_GT(lost, 1e-3 * volume);
  EXPECT_NEAR((ride.all() + lost) / volume, 1, 1e-12);
}

const auto at_rest = [](const Vec3& p) { return p; };

TEST(TetStage, liquid_away_from_the_skin_falls_freely_and_fur_holds_it_to_darcys_speed) {
  const auto shower = [](const Vec3& x) { return x.norm() > 0.65 && x.norm() < 0.7 ? 0.3 : 0.0; };
  Ride ride;
  ride.liquid = filled(ride.shell, shower, [](const Vec3&) { return Vec3(0, 0, 0); });
  const double volume = total(ride.liquid.volume);
  for (int i = 0; i < 3; ++i) ride.step(at_rest);
  EXPECT_LT((momentum(ride.liquid) / volume - 3 * ride.dt * ride.options.gravity).norm(), 1e-12);

  Ride held;
  held.options.fur = {.porosity = 0.9, .along = 1e-9, .across = 1e-9, .residual = 0.1};
  held.liquid = filled(
      held.shell, [](const Vec3&) { return 0.9; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  for (int i = 0; i < 3; ++i) held.step(at_rest);
  const double darcy = 1e-9 * 9.81 / (held.options.viscosity * 0.9);
  const double mean = momentum(held.liquid).norm() / total(held.liquid.volume);
  EXPECT_LT(mean, darcy) << "the skin is in the way";
  EXPECT_GT(mean, 0.2 * darcy);
}

TEST(TetStage, liquid_on_the_skin_does_not_run_into_it) {
  for (const TetOptions& options : every_kind) {
    Ride ride;
    ride.options = options;
    ride.liquid = filled(
        ride.shell, [](const Vec3&) { return 0.1; }, [](const Vec3& x) -> Vec3 { return -x; });
    ride.step(at_rest);
    int checked = 0;
    for (int t = 0; t < int(ride.shell.tets.size()); ++t) {
      const auto on_skin = (ride.shell.neighbours[t].array() == SkinShell::skin).eval();
      if (on_skin.count() != 1 || ride.liquid.volume[t] == 0) continue;
      for (int f = 0; f < 4; ++f)
        if (on_skin[f]) {
          EXPECT_LT(ride.liquid.v[t].dot(ride.moving.face_area(t, f)), 1e-15);
          ++checked;
        }
    }
    EXPECT_GT(checked, 500);
  }
}

TEST(TetStage, excess_is_smeared_on_all_sides_before_it_is_pushed_out) {
  // One tet holds three times what it can, and alone moves; all others are full. Pushout alone would send it outward
  // only; smeared, a quarter of the excess, half a volume, has mixed with each neighbour below.
  Ride ride;
  ride.dt = 1e-6;
  ride.liquid = filled(
      ride.shell, [](const Vec3&) { return 1.0; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  const SkinShell& shell = ride.shell;
  const int t = shell.order[shell.order.size() / 2];
  ride.liquid.volume[t] = 3 * shell.volume[t];
  ride.liquid.v[t] = Vec3(1, 0, 0);
  ride.step(at_rest);
  int below = 0;
  for (const int other : shell.neighbours[t]) {
    if (other < 0 || shell.rank[other] > shell.rank[t]) continue;
    const double share = 0.5 * shell.volume[t] / (0.5 * shell.volume[t] + shell.volume[other]);
    EXPECT_GT(ride.liquid.v[other].x(), 0.25 * share) << "the rest goes on, or is corrected";
    ++below;
  }
  EXPECT_GT(below, 0);
}

TEST(TetStage, gives_the_same_bits_on_one_thread_and_on_two) {
  for (const TetOptions& options : every_kind) {
    std::vector<Ride> rides(2);
    for (int threads = 1; threads <= 2; ++threads) {
      const ThreadLimit limit(threads);
      Ride& ride = rides[threads - 1];
      ride.options = options;
      ride.liquid = random_liquid(ride.shell, 1, 1);
      for (int i = 1; i <= 3; ++i) ride.step(Tumble{i * ride.dt});
    }
    EXPECT_EQ(rides[0].liquid.volume, rides[1].liquid.volume);
    EXPECT_EQ(rides[0].liquid.v, rides[1].liquid.v);
    EXPECT_EQ(rides[0].drops.volume, rides[1].drops.volume);
    EXPECT_EQ(rides[0].drops.x, rides[1].drops.x);
  }
}

}  // namespace
}  // namespace coracle
