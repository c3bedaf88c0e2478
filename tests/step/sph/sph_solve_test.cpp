#include "tests/step/sph/tank.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace coracle {
namespace {

const std::string still = "gravity = [0, 0, 0]\n",
                  tank = "method = 'proxy'\n[domain]\nmax = [0.4, 0.4, 0.4]\n[contact]\nkind = 'barrier'\n";
std::string cube(double y, const std::string& more) {
  return fmt::format(
             "[[body]]\nname = 'cube'\nshape = 'box'\ncenter = [0.2, {}, 0.2]\nsize = [0.1, 0.1, 0.1]\nmesh = "
             "'grid6'\nelement = 'linear'\ncells = [2, 2, 2]\n",
             y) +
         more;
}
const Splitting all[] = {Splitting::delta,     Splitting::joint,       Splitting::baseline,
                         Splitting::two_phase, Splitting::three_phase, Splitting::baseline_three};

// A drop strikes a free cube, far from all sides.
TEST(SphSolve, every_splitting_keeps_the_momentum_of_liquid_and_body_and_lets_none_pass) {
  for (const Splitting splitting : all) {
    Tank t(still + tank + cube(0.2, "young = 1e5\n"), 0.02, Vec3(0.16, 0.262, 0.16), Vec3(0.24, 0.342, 0.24));
    t.scene.proxy.splitting = splitting;
    t.scene.proxy.tolerance = 1e-13;
    t.scene.proxy.newton_tolerance = 1e-7;
    for (Vec3& v : t.liquid.v) v = Vec3(0, -4, 0);
    const Vec3 before = t.momentum();
    Vec3 impulse = Vec3::Zero();
    for (int i = 0; i < 12; ++i) {
      const SphSolve found = t.advance(2e-3);
      ASSERT_TRUE(found.ok) << int(splitting) << ": " << found.trouble;
      EXPECT_GT(found.min_distance, 0);
      impulse += 2e-3 * found.loads[0].force;
    }
    EXPECT_LT((t.momentum() - before).norm(), 1e-9 * before.norm()) << int(splitting);
    EXPECT_LT(t.world.bodies[0].v[0].y(), -0.1) << int(splitting) << ": the cube is pushed";
    const Vec3 gained = validation::momenta(t.world.bodies).linear;
    EXPECT_LT((impulse - gained).norm(), 1e-6 * gained.norm()) << int(splitting) << ": by the force that is reported";
  }
}

// A drop falls on a free rope: what it loses the rope takes.
TEST(SphSolve, rods_stop_particles) {
  for (const Splitting splitting : all) {
    Tank t(still + tank +
               "[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [[0.1, 0.2, 0.2], [0.3, 0.2, "
               "0.2]]\nrod_radius = 0.01\nedge = 0.025\nyoung = 1e6\n",
           0.02, Vec3(0.18, 0.23, 0.18), Vec3(0.22, 0.27, 0.22));
    t.scene.proxy.splitting = splitting;
    t.scene.proxy.tolerance = 1e-13;
    t.scene.proxy.newton_tolerance = 1e-7;
    for (Vec3& v : t.liquid.v) v = Vec3(0, -2, 0);
    const Vec3 before = t.momentum();
    for (int i = 0; i < 20; ++i) {
      const SphSolve found = t.advance(2e-3);
      ASSERT_TRUE(found.ok) << int(splitting) << ": " << found.trouble;
      EXPECT_GT(found.min_distance, 0) << int(splitting);
    }
    EXPECT_LT((t.momentum() - before).norm(), 1e-9 * before.norm()) << int(splitting);
    EXPECT_LT(validation::momenta(t.world.bodies).linear.y(), 0.02 * before.y()) << int(splitting);
    // None is inside the rope.
    const Body& rope = t.world.bodies[0];
    for (const Vec3& x : t.liquid.x)
      for (const auto& [a, b] : rope.rest->skin.segments) {
        const double gap = std::sqrt(point_triangle_distance({x, rope.x[a], rope.x[b], rope.x[b]}).squared);
        EXPECT_GT(gap, 0.01) << int(splitting);
      }
  }
}

// A drop strikes a rigid cube: what it loses, the cube gains; and a held one, which stays.
TEST(SphSolve, rigid_bodies_are_pushed_as_one_and_held_ones_stay) {
  const std::string rigid =
      "[[body]]\nname = 'cube'\nkind = 'rigid'\nshape = 'box'\ncenter = [0.2, 0.2, 0.2]\nsize = [0.1, 0.1, 0.1]\n";
  for (const Splitting splitting : all)
    for (const bool held : {false, true}) {
      Tank t(still + tank + (held ? cube(0.2, "young = 1e5\n[[body.hold]]\ntype = 'pin'\nside = 'y_max'\n") : rigid),
             0.02, Vec3(0.16, 0.262, 0.16), Vec3(0.24, 0.342, 0.24));
      t.scene.proxy.splitting = splitting;
      t.scene.proxy.tolerance = 1e-13;
      t.scene.proxy.newton_tolerance = 1e-7;
      for (Vec3& v : t.liquid.v) v = Vec3(0, -4, 0);
      const Vec3 before = t.momentum();
      const std::vector<Vec3> start = t.world.bodies[0].x;
      for (int i = 0; i < 12; ++i) {
        const SphSolve found = t.advance(2e-3);
        ASSERT_TRUE(found.ok) << int(splitting) << ": " << found.trouble;
        EXPECT_GT(found.min_distance, 0);
      }
      const Body& body = t.world.bodies[0];
      if (held) {
        for (const Hold& hold : body.rest->holds) EXPECT_EQ(body.x[hold.node], start[hold.node]);
        EXPECT_GT(t.momentum().y(), before.y() + 0.1) << int(splitting) << ": it takes momentum";
      } else {
        EXPECT_LT((t.momentum() - before).norm(), 1e-9 * before.norm()) << int(splitting);
        for (std::size_t i = 1; i < start.size(); ++i)
          EXPECT_NEAR((body.x[i] - body.x[0]).norm(), (start[i] - start[0]).norm(), 1e-4);
      }
    }
}

// With friction as well, and the drop comes from the side.
TEST(SphSolve, friction_between_liquid_and_body_keeps_their_momentum) {
  for (const Splitting splitting : all) {
    Tank t(still + tank + cube(0.2, "young = 1e5\n"), 0.02, Vec3(0.16, 0.262, 0.16), Vec3(0.24, 0.342, 0.24));
    t.scene.proxy.splitting = splitting;
    t.scene.proxy.friction = 0.5;
    t.scene.proxy.tolerance = 1e-13;
    t.scene.proxy.newton_tolerance = 1e-7;
    for (Vec3& v : t.liquid.v) v = Vec3(2, -4, 0);
    t.liquid.v_last = t.liquid.v;
    const Vec3 before = t.momentum();
    for (int i = 0; i < 12; ++i) {
      const SphSolve found = t.advance(2e-3);
      ASSERT_TRUE(found.ok) << int(splitting) << ": " << found.trouble;
    }
    const Vec3 gained = validation::momenta(t.world.bodies).linear;
    EXPECT_LT((t.momentum() - before).norm(), 1e-9 * before.norm()) << int(splitting);
    EXPECT_GT(gained.x(), 0) << int(splitting) << ": it is dragged along";
    EXPECT_LT(gained.x(), -0.55 * gained.y()) << int(splitting) << ": by no more than friction can";
  }
}

// A soft ball in still water without weight: nothing happens, with friction as without.
TEST(SphSolve, friction_throws_nothing_off_a_soft_body) {
  Tank t(still + tank + cube(0.2, "young = 1e4\n"), 0.02, Vec3(0.06, 0.262, 0.06), Vec3(0.34, 0.322, 0.34));
  for (Vec3& x : t.liquid.x) x.y() -= 0.012;  // pressed into the barrier
  double fastest[2];
  const SphLiquid start = t.liquid;
  const std::vector<Body> bodies = t.world.bodies;
  for (const bool rough : {false, true}) {
    t.liquid = start;
    t.world.bodies = bodies;
    t.scene.proxy.friction = rough ? 0.5 : 0;
    ASSERT_TRUE(t.solve(5e-3).ok);
    fastest[rough] = 0;
    for (const Vec3& v : t.liquid.v) fastest[rough] = std::max(fastest[rough], v.norm());
  }
  EXPECT_GT(fastest[0], 0);
  EXPECT_LT(fastest[1], 3 * fastest[0]);
}

// The distance to the joint solution after one step, of particles and nodes. At no viscosity and friction the paper's
// forms have order 4, and delta order 6.
TEST(SphSolve, delta_comes_closer_to_the_joint_solution_by_two_orders_than_the_papers_forms) {
  Tank t(tank + cube(0.152, "young = 1e5\ndensity = 500\n"), 0.025, Vec3(0, 0, 0), Vec3(0.4, 0.1, 0.4));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(t.advance(4e-3).ok);
  const SphLiquid liquid = t.liquid;
  const std::vector<Body> bodies = t.world.bodies;
  t.scene.proxy.tolerance = 1e-12;
  t.scene.proxy.newton_tolerance = 2e-7;
  t.work.cg.max_iterations = 20000;
  std::map<Splitting, std::vector<double>> distance;
  const auto ends = [&] {
    std::vector<Vec3> v = t.liquid.v;
    v.insert(v.end(), t.world.bodies[0].v.begin(), t.world.bodies[0].v.end());
    return v;
  };
  for (const double h : {5e-4, 2.5e-4}) {
    std::vector<Vec3> joint;
    for (const Splitting splitting : {Splitting::joint, Splitting::delta, Splitting::baseline, Splitting::two_phase}) {
      t.liquid = liquid;
      t.world.bodies = bodies;
      t.scene.proxy.splitting = splitting;
      const SphSolve found = t.solve(h);
      ASSERT_TRUE(found.ok) << int(splitting) << ": " << found.trouble;
      ASSERT_GT(found.loads[0].points, 0u) << "the cube touches";
      if (splitting == Splitting::joint) joint = ends();
      double most = 0;
      for (std::size_t i = 0; i < joint.size(); ++i) most = std::max(most, h * (ends()[i] - joint[i]).norm());
      distance[splitting].push_back(most);
    }
  }
  const auto order = [&](Splitting s) { return std::log2(distance[s][0] / distance[s][1]); };
  EXPECT_GT(order(Splitting::delta), 5.5);
  EXPECT_GT(order(Splitting::baseline), 3.5);
  EXPECT_GT(order(Splitting::two_phase), 3.5);
  EXPECT_LT(distance[Splitting::delta][1], 0.1 * distance[Splitting::two_phase][1]);
  EXPECT_LT(distance[Splitting::delta][1], 0.1 * distance[Splitting::baseline][1]);
}

// The stiffness of surfaces that touch each other is part of the scene, not of the splitting.
TEST(SphSolve, a_sheet_rests_at_the_same_gap_by_every_splitting) {
  std::vector<double> gaps;
  for (const Splitting splitting : all) {
    Tank t(tank +
               "[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = 'rectangle'\nalong = [0.2, 0, 0]\nacross = [0, 0, "
               "-0.2]\ncenter = [0.2, 0.0045, 0.2]\nshell_thickness = 0.001\nedge = 0.05\nyoung = 1e6\ndamping_mass = "
               "20\n",
           0.02, Vec3(0.02, 0.3, 0.02), Vec3(0.04, 0.32, 0.04));
    t.scene.proxy.splitting = splitting;
    t.scene.proxy.newton_tolerance = 1e-6;
    t.liquid.v[0] = Vec3::Zero();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(t.advance(5e-3).ok) << int(splitting);
    double sum = 0;
    for (const Vec3& x : t.world.bodies[0].x) sum += x.y();
    gaps.push_back(sum / double(t.world.bodies[0].x.size()) - 0.0005);
  }
  for (std::size_t i = 1; i < gaps.size(); ++i) EXPECT_NEAR(gaps[i], gaps[0], 0.01 * gaps[0]) << int(all[i]);
}

}  // namespace
}  // namespace coracle
