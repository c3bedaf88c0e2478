#include "coracle/world/ties.h"

#include "coracle/step/advance.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

const std::string ball_on_rope = R"(
[domain]
min = [-2, -2, -2]
max = [2, 2, 2]
resolution = 16
[time]
fps = 20
frames = 4
max_dt = 0.01
[elastic]
integrator = 'midpoint'
[[body]]
name = 'ball'
kind = 'rigid'
shape = 'sphere'
center = [0.6, -0.8, 0]
radius = 0.1
edge = 0.08
[[body]]
name = 'rope'
kind = 'rod'
shape = 'line'
points = [[0, 0, 0], [0.535, -0.71, 0]]
edge = 0.1
rod_radius = 0.002
young = 1e9
[[body.hold]]
type = 'pin'
[[body.hold.region]]
shape = 'sphere'
center = [0, 0, 0]
radius = 0.01
[[attachment]]
body = 'rope'
to = 'ball'
points = [[0.535, -0.71, 0]]
)";

TEST(Ties, a_tied_node_moves_as_the_point_of_the_body_that_it_is_tied_to) {
  const Scene scene = parse_scene(ball_on_rope, "s.toml");
  World world = build_world(scene);
  ASSERT_EQ(world.ties.size(), 1u);
  const std::vector<int> first = first_nodes(world.bodies);
  EXPECT_GE(world.ties[0].node, first[1]);
  double sum = 0;
  Vec3 place = Vec3::Zero();
  for (std::size_t i = 0; i < world.ties[0].leaders.size(); ++i) {
    EXPECT_LT(world.ties[0].leaders[i], first[1]);
    sum += world.ties[0].weights[i];
    place += world.ties[0].weights[i] * world.bodies[0].x[world.ties[0].leaders[i]];
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT((place - world.bodies[1].x.back()).norm(), 1e-12);

  Workspace work;
  start(scene, world, work);
  const Vec3 before = world.bodies[0].x[0];
  const double tied = (world.bodies[1].x.back() - before).norm();
  for (int frame = 0; frame < scene.time.frames; ++frame) advance_frame(scene, world, work, [](const StepReport&) {});
  EXPECT_GT((world.bodies[0].x[0] - before).norm(), 0.05);  // it swings
  EXPECT_NEAR((world.bodies[1].x.back() - world.bodies[0].x[0]).norm(), tied, 1e-4);
}

TEST(Ties, a_ball_on_a_rope_swings_with_the_energy_that_it_has) {
  const Scene scene = parse_scene(ball_on_rope, "s.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  const auto energy = [&] {
    double e = 0;
    for (const Body& body : world.bodies)
      for (std::size_t i = 0; i < body.x.size(); ++i)
        e += body.rest->mass[i] * (0.5 * body.v[i].squaredNorm() + 9.81 * body.x[i].y());
    return e;
  };
  const double at_first = energy();
  double moving = 0;
  for (int frame = 0; frame < scene.time.frames; ++frame) advance_frame(scene, world, work, [](const StepReport&) {});
  for (std::size_t i = 0; i < world.bodies[0].x.size(); ++i)
    moving += 0.5 * world.bodies[0].rest->mass[i] * world.bodies[0].v[i].squaredNorm();
  EXPECT_GT(moving, 1);
  EXPECT_NEAR(energy(), at_first, 0.02 * moving);
}

TEST(Ties, a_point_far_from_the_body_a_tied_node_and_a_circle_are_refused) {
  const auto told = [](const std::string& toml) {
    try {
      build_world(parse_scene(toml, "s.toml"));
    } catch (const SceneError& error) {
      return error.problems[0].text();
    }
    return std::string();
  };
  const std::string more = "[[attachment]]\nbody = 'rope'\nto = 'ball'\npoints = [[";
  EXPECT_NE(told(ball_on_rope + more + "1, 1, 1]]\n").find("is 1."), std::string::npos);
  EXPECT_NE(told(ball_on_rope + more + "0.535, -0.71, 0]]\n").find("tied already"), std::string::npos);
  EXPECT_NE(told(ball_on_rope + more + "0, 0, 0]]\n").find("held already"), std::string::npos);
  const std::string circle = "[[attachment]]\nbody = 'ball'\nto = 'rope'\npoints = [[0.535, -0.71, 0]]\n";
  EXPECT_NE(told(ball_on_rope + circle).find("circle"), std::string::npos);
}

}  // namespace
}  // namespace coracle
