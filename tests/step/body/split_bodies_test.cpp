#include "coracle/step/body/split_bodies.h"

#include "coracle/step/body/motion.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

std::string cube(const char* name, double y) {
  return fmt::format(
      "[[body]]\nname = '{}'\nshape = 'box'\ncenter = [0.5, {}, 0.5]\nsize = [0.1, 0.1, 0.1]\nmesh = 'grid6'\nelement "
      "= 'linear'\ncells = [2, 2, 2]\nyoung = 1e5\n",
      name, y);
}

struct Collision {
  Scene scene;
  World world;
  BodySystem elastic, contact;
  double nearest = 1;
  explicit Collision(const std::string& text)
      : scene(parse_scene("method = 'proxy'\n" + text, "collision.toml")), world(build_world(scene)) {
    scene.elastic.tolerance = 1e-9;
  }
  // share < 0: in one solve.
  void step(double share, double dt) {
    std::vector<NodeField> motion;
    const BodyStep step{.options = scene.elastic,
                        .contact = scene.contact,
                        .world = world,
                        .trees = {},
                        .dt = dt,
                        .gravity_dv = dt * scene.gravity};
    const BodySolve solve = share < 0 ? solve_bodies(step, contact, world.bodies, motion)
                                      : solve_split_bodies(step, share, elastic, contact, world.bodies, motion);
    ASSERT_TRUE(solve.ok) << solve.trouble;
    nearest = std::min(nearest, solve.contact->min_distance);
    move_bodies(world.bodies, motion, dt);
  }
};

TEST(SplitBodies, colliding_bodies_keep_their_momentum_and_do_not_meet) {
  for (const double share : {0.0, 0.5}) {
    Collision c("gravity = [0, 0, 0]\n[contact]\nkind = 'barrier'\n" + cube("low", 0.44) + cube("high", 0.56));
    for (Vec3& v : c.world.bodies[1].v) v = Vec3(0.3, -2, 0);
    const Vec3 before = validation::momenta(c.world.bodies).linear;
    for (int i = 0; i < 20; ++i) ASSERT_NO_FATAL_FAILURE(c.step(share, 2e-3));
    const Vec3 after = validation::momenta(c.world.bodies).linear;
    EXPECT_LT((after - before).norm(), 1e-9 * before.norm()) << share;
    EXPECT_GT(c.nearest, 0) << share;
    EXPECT_LT(c.world.bodies[0].v[0].y(), -0.2) << share << ": the lower one is pushed";
  }
}

// A cube that rests on the floor: with the model, the elastic phase feels the floor and stays; without it, elasticity
// knows of the floor only a step later, and the cube never calms [Xie23 fig. 6.3].
TEST(SplitBodies, a_resting_body_is_calmer_with_the_model_than_without) {
  const auto unrest = [](double share) {
    Collision c("[contact]\nkind = 'barrier'\n" + cube("cube", 0.0505));
    for (int i = 0; i < 300; ++i) c.step(share, 5e-3);
    double most = 0;
    for (const Vec3& v : c.world.bodies[0].v) most = std::max(most, v.norm());
    EXPECT_GT(c.nearest, 0);
    return most;
  };
  const double with = unrest(0.5), without = unrest(0);
  EXPECT_LT(with, 1e-3);
  EXPECT_LT(with, without);
}

TEST(SplitBodies, rigid_bodies_keep_their_shape_in_the_phase_without_elasticity) {
  Collision c("gravity = [0, 0, 0]\n[contact]\nkind = 'barrier'\n" + cube("low", 0.44) +
              "[[body]]\nname = 'high'\nkind = 'rigid'\nshape = 'box'\ncenter = [0.5, 0.56, 0.5]\nsize = [0.1, 0.1, "
              "0.1]\n");
  for (Vec3& v : c.world.bodies[1].v) v = Vec3(0, -2, 0);
  const std::vector<Vec3> start = c.world.bodies[1].x;
  for (int i = 0; i < 20; ++i) ASSERT_NO_FATAL_FAILURE(c.step(0.5, 2e-3));
  const std::vector<Vec3>& x = c.world.bodies[1].x;
  for (std::size_t i = 1; i < x.size(); ++i)
    EXPECT_NEAR((x[i] - x[0]).norm(), (start[i] - start[0]).norm(), 1e-3 * (start[i] - start[0]).norm());
}

}  // namespace
}  // namespace coracle
