// Laws of the time scheme, through whole steps.
#include "coracle/step/grid/leapfrog.h"

#include "coracle/step/couple/grid_step.h"
#include "coracle/world/bodies.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coracle {
namespace {

using validation::run_text;

const std::string ball_of_water = "[[liquid.region]]\nshape = 'sphere'\ncenter = [0.5, 1.5, 0.5]\nradius = 0.2\n";
const std::string far_body =
    "[[body]]\nname = 'far'\nshape = 'box'\ncenter = [0.15, 0.15, 0.15]\nsize = [0.1, 0.1, 0.1]\nmesh = 'grid5'\n"
    "cells = [1, 1, 1]\n[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n";

// Steps whose length changes all the time: the speed limits them while the fluid falls.
std::string changing(const std::string& more) {
  return "[domain]\nmax = [1, 2, 1]\nresolution = 24\n[time]\nfps = 20\nframes = 6\ncfl = 1\n" + more;
}

TEST(Leapfrog, liquid_falls_as_galilei_says_with_or_without_a_body) {
  for (const std::string& more : {std::string(), far_body}) {
    double worst = 0, shortest = 1, longest = 0, error = 0, start = 0, energy = 0;
    run_text(changing(ball_of_water + more), "fall", [&](const StepReport& r, const World& w, const Workspace&) {
      const Liquid& liquid = liquid_of(w);
      const double mass = 1000.0 / 8 * liquid.grid.cell_volume() * double(liquid.particles.size());
      worst = std::max(worst, std::abs(r.liquid().momentum.y() / mass / (-9.81 * r.time) - 1));
      if (r.time > 0.02) shortest = std::min(shortest, r.dt), longest = std::max(longest, r.dt);
      double height = 0;
      for (const Vec3& x : liquid.particles.x) height += x.y() / double(liquid.particles.size());
      const double fallen = 0.5 * 9.81 * r.time * r.time;
      if (start == 0) start = height + fallen;
      error = std::max(error, std::abs(start - fallen - height) / 0.44);  // 0.44 m in 0.3 s
      const double e = r.liquid().kinetic_energy + r.liquid().potential_energy;
      if (energy == 0) energy = e;
      EXPECT_NEAR(e, energy, 1e-3 * energy);
    });
    EXPECT_GT(longest, 1.3 * shortest);  // the steps did change
    EXPECT_LT(worst, 1e-4);
    EXPECT_LT(error, 1e-3);
  }
}

TEST(Leapfrog, still_water_around_a_held_body_stays_as_still_at_changing_steps_as_at_equal_ones) {
  const auto fastest = [](const char* steps) {
    double speed = 0;
    run_text(std::string("[domain]\nresolution = 16\n[time]\nframes = 6\n") + steps +
                 "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n[[body]]\nname = "
                 "'held'\nshape = 'box'\ncenter = [0.5, 0.25, 0.5]\nsize = [0.25, 0.25, 0.25]\nmesh = "
                 "'grid5'\ncells = [2, 2, 2]\nyoung = 1e8\n[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n",
             "still", [&](const StepReport& r, const World&, const Workspace&) {
               speed = std::max(speed, r.liquid().max_speed);
             });
    return speed;
  };
  const double equal = fastest("fps = 10\nmax_dt = 0.02\n");
  EXPECT_LT(equal, 0.1);                                          // the fastest particle; √(g 0.5 m) = 2.2 m/s
  EXPECT_LT(fastest("fps = 7.3\nmax_dt = 0.02\n"), 1.5 * equal);  // seven steps of 0.0196 s per frame
  EXPECT_LT(fastest("fps = 24\nmax_dt = 0.041\n"), 1.5 * equal);
}

TEST(Leapfrog, a_free_body_takes_an_impulse_as_a_whole_and_a_held_one_does_not) {
  BodyOptions o;
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3::Constant(0.2);
  o.mesh = BodyMesh::grid5;
  Body free = build_body(o);
  HoldOptions hold;
  hold.side = BodySide::y_min;
  o.holds.push_back(hold);
  std::vector<Body> bodies{free, build_body(o)};
  const auto momentum = [](const Body& b) {
    Vec3 p = Vec3::Zero();
    for (std::size_t i = 0; i < b.v.size(); ++i) p += b.rest->mass[i] * b.v[i];
    return p;
  };
  for (Body& b : bodies)
    for (std::size_t i = 0; i < b.v.size(); ++i) b.v[i] = Vec3(1, 0.5 * double(i), 0);
  const std::vector<Vec3> shape = bodies[0].v;
  const Vec3 before = momentum(bodies[0]), held = momentum(bodies[1]), impulse(0.3, -0.1, 2);
  for (Body& b : bodies) add_impulse(impulse, b);
  EXPECT_LT((momentum(bodies[0]) - before - impulse).norm(), 1e-12 * before.norm());
  EXPECT_EQ(momentum(bodies[1]), held);
  for (std::size_t i = 0; i < shape.size(); ++i)  // it moves as a whole
    EXPECT_LT((bodies[0].v[i] - shape[i] - (bodies[0].v[0] - shape[0])).norm(), 1e-12);
}

TEST(Leapfrog, a_block_that_lands_presses_the_floor_by_its_weight_and_does_not_ring) {
  std::vector<double> pressure;
  run_text(
      "[domain]\nresolution = 16\n[time]\nfps = 24\nframes = 12\ncfl = 2\n[[liquid.region]]\nshape = 'box'\nmin = [0, "
      "0.2, 0]\nmax = [1, 0.6, 1]\n",
      "lands", [&](const StepReport& r, const World& w, const Workspace&) {
        if (r.time > 0.3) pressure.push_back(liquid_of(w).pressure(8, 0, 8));
      });
  const double weight = 1000 * 9.81 * (0.4 - 0.5 / 16);
  for (const double p : pressure) EXPECT_NEAR(p, weight, 0.25 * weight);
}

TEST(Leapfrog, the_drift_is_that_of_the_middle_of_the_step) {
  GridFlow flow;
  Clock clock;
  EXPECT_EQ(choose_kick(flow, clock, 0.1).solve_dt(), 0.05);  // the first step
  EXPECT_EQ(choose_kick(flow, clock, 0.1).drift, 0);          // without a lag u is that of the middle already
  flow.lag = 0.05, clock.last_dt = 0.1;
  EXPECT_NEAR(choose_kick(flow, clock, 0.1).drift, 0.5, 1e-15);
  EXPECT_NEAR(choose_kick(flow, clock, 0.05).drift, 0.25, 1e-15);
  // After a step four times as short: u of the solve lies 0.15 ahead, half a step is 0.2.
  EXPECT_NEAR(choose_kick(flow, clock, 0.4).drift, (0.2 - 0.15) / (0.1 + 0.15), 1e-15);
}

TEST(StableStep, counts_the_motion_that_a_hold_will_give) {
  double furthest = 0, edge = 1;
  run_text(
      "gravity = [0, 0, 0]\n[domain]\nresolution = 16\n[time]\nfps = 10\nframes = 1\ncfl = 1\n[[body]]\nname = "
      "'block'\nshape = 'box'\ncenter = [0.2, 0.5, 0.5]\nsize = [0.2, 0.2, 0.2]\nmesh = 'grid5'\ncells = [2, 2, "
      "2]\n[[body.hold]]\ntype = 'pin'\nside = 'x_min'\n[[body.hold.motion]]\ntype = 'velocity'\nvelocity = [5, 0, "
      "0]\n",
      "hold", [&](const StepReport& r, const World& w, const Workspace&) {
        furthest = std::max(furthest, 5 * r.dt);
        edge = w.bodies[0].rest->skin.edge;
      });
  EXPECT_LE(furthest, 0.5 * edge * (1 + 1e-9));
}

// The edges are long, so that the cells limit the step; a pin that turns is far away from the one that rests.
TEST(StableStep, counts_what_a_hold_will_give_in_cells_and_only_to_the_nodes_that_it_moves) {
  const auto longest = [](const std::string& motion) {
    double longest = 0;
    run_text(
        "gravity = [0, 0, 0]\n[domain]\nresolution = 32\n[time]\nfps = 10\nframes = 1\ncfl = 1\n[[body]]\nname = "
        "'block'\nshape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.8, 0.2, 0.2]\nmesh = 'grid5'\nelement = "
        "'linear'\ncells = [1, 1, 1]\n[[body.hold]]\ntype = 'pin'\nside = 'x_max'\n[[body.hold]]\ntype = "
        "'pin'\nside = 'x_min'\n" +
            motion,
        "hold", [&](const StepReport& r, const World&, const Workspace&) {
          if (r.time - r.dt < 0.06) longest = std::max(longest, r.dt);
        });
    return longest;
  };
  EXPECT_LE(longest("[[body.hold.motion]]\ntype = 'velocity'\nvelocity = [0, 2, 0]\nstart = 0.04\nend = 0.06\n"),
            1.0 / 32 / 2 * (1 + 1e-9));
  // About the middle of its own side: 0.1 m away at most, while the other side is 0.8 m away.
  const double turning =
      longest("[[body.hold.motion]]\ntype = 'rotation'\naxis = [0, 1, 0]\npivot = [0.1, 0.5, 0.5]\nrate = 2\n");
  EXPECT_GT(turning, 1.0 / 32 / (2 * 0.8));
  EXPECT_LE(turning, 1.0 / 32 / (2 * 0.1) * (1 + 1e-9));
}

TEST(Leapfrog, what_starts_at_once_gets_the_impulse_of_its_mass) {
  double impulse = 0;  // on a pinned plate, of a jet's start: whatever the steps
  run_text(
      "gravity = [0, 0, 0]\n[domain]\nmax = [1, 0.5, 0.5]\nresolution = 20\n[time]\nfps = 50\nframes = "
      "3\n[[liquid.region]]\nshape = 'box'\nmin = [0.15, 0, 0]\nmax = [0.8, 0.5, 0.5]\n[[solid]]\nname = "
      "'piston'\nshape = 'box'\nmin = [-0.3, -0.1, -0.1]\nmax = [0.15, 0.6, 0.6]\n[[solid.motion]]\ntype = "
      "'velocity'\nvelocity = [0.4, 0, 0]\n",
      "start",
      [&](const StepReport& r, const World&, const Workspace&) { impulse -= r.bodies[0].fluid_force.x() * r.dt; });
  const double plug = 1000 * 0.65 * 0.25 * 0.4;
  EXPECT_NEAR(impulse, plug, 0.05 * plug);
}

}  // namespace
}  // namespace coracle
