// Points of a liquid in the bodies' equation of motion.
#include "coracle/step/body/body_solve.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coracle {
namespace {

constexpr double reach = 0.01, stiffness = 1e4, area = 1e-4, mass = 1e-3, dt = 2e-3;

// A cube of 0.2 m in the middle of the domain, and points without elements as the last body.
struct Shower {
  Scene scene;
  World world;
  BodySystem system;
  LoosePoints loose{.reach = reach, .friction = 0, .kappa = {}};

  Shower(const std::string& hold, const std::vector<Vec3>& x, const std::vector<Vec3>& v)
      : scene(parse_scene("gravity = [0, 0, 0]\n[contact]\nkind = 'barrier'\n[[body]]\nname = 'cube'\nshape = "
                          "'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.2, 0.2, 0.2]\nmesh = 'grid6'\nelement = "
                          "'linear'\ncells = [2, 2, 2]\nyoung = 1e5\n" +
                              hold,
                          "shower.toml")),
        world(build_world(scene)) {
    auto rest = std::make_shared<BodyRest>();
    rest->x = x;
    rest->mass.assign(x.size(), mass);
    for (std::size_t i = 0; i < x.size(); ++i) rest->skin.nodes.push_back(int(i));
    world.bodies.push_back({.name = "liquid", .rest = std::move(rest), .x = x, .v = v, .energy = {}});
    loose.kappa.assign(x.size(), stiffness * area);
    system.matrix.set_leaves(int(x.size()));
  }

  void step(const Vec3& gravity) {
    std::vector<NodeField> motion;
    const BodySolve solve = solve_bodies({.options = scene.elastic,
                                          .contact = scene.contact,
                                          .world = world,
                                          .trees = {},
                                          .dt = dt,
                                          .gravity_dv = dt * gravity,
                                          .loose = &loose},
                                         system, world.bodies, motion, nullptr);
    ASSERT_TRUE(solve.ok) << solve.trouble;
    ASSERT_TRUE(solve.contact);
    EXPECT_GT(solve.contact->min_distance, 0);
    for (Body& body : world.bodies)
      for (std::size_t i = 0; i < body.x.size(); ++i) body.x[i] += dt * body.v[i];
  }

  Vec3 momentum() const { return validation::momenta(world.bodies).linear; }
};

// The barrier's pressure carries the weight: area κ φ(d/d̂) = m g.
TEST(LoosePoints, rest_on_a_body_where_the_barrier_carries_their_weight) {
  const Vec3 gravity(0, -9.81, 0);
  Shower s("[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n[[body.hold]]\ntype = 'pin'\nside = 'y_max'\n",
           {Vec3(0.47, 0.608, 0.46)}, {Vec3::Zero()});
  for (int i = 0; i < 300; ++i) s.step(gravity);
  EXPECT_LT(s.world.bodies[1].v[0].norm(), 1e-6);
  const double d = s.world.bodies[1].x[0].y() - 0.6;
  EXPECT_NEAR(area * barrier_pressure({.kappa = stiffness, .reach = reach}, d), mass * 9.81, 1e-6 * mass * 9.81);
}

TEST(LoosePoints, strike_a_free_body_and_keep_the_momentum_of_both) {
  Shower s("", {Vec3(0.45, 0.62, 0.5), Vec3(0.62, 0.52, 0.45), Vec3(0.4, 0.65, 0.42)},
           {Vec3(0, -20, 0), Vec3(-5, 0, 1), Vec3(3, -8, 2)});
  const Vec3 before = s.momentum();
  for (int i = 0; i < 20; ++i) s.step(Vec3::Zero());
  EXPECT_LT((s.momentum() - before).norm(), 1e-10 * before.norm());
  EXPECT_LT(s.world.bodies[0].v[0].y(), 0);
  for (const Vec3& x : s.world.bodies[1].x)
    EXPECT_GT((x - Vec3(0.5, 0.5, 0.5)).cwiseAbs().maxCoeff(), 0.09) << "it is outside";
}

TEST(LoosePoints, do_not_touch_each_other) {
  Shower s("", {Vec3(0.2, 0.8, 0.5), Vec3(0.2 + 0.1 * reach, 0.8, 0.5)}, {Vec3::Zero(), Vec3::Zero()});
  s.step(Vec3::Zero());
  for (const Vec3& v : s.world.bodies[1].v) EXPECT_EQ(v.norm(), 0);
}

}  // namespace
}  // namespace coracle
