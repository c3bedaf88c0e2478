#include "coracle/world/ties.h"

#include "coracle/step/advance.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

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

// What build_world() says of a scene that it refuses.
std::string told(const std::string& toml) {
  try {
    build_world(parse_scene(toml, "s.toml"));
  } catch (const SceneError& error) {
    return error.problems[0].text();
  }
  return "";
}

TEST(Ties, a_point_far_from_the_body_a_tied_node_and_a_held_one_are_refused) {
  const std::string more = "[[attachment]]\nbody = 'rope'\nto = 'ball'\npoints = [[";
  EXPECT_NE(told(ball_on_rope + more + "1, 1, 1]]\n").find("is 1."), std::string::npos);
  EXPECT_NE(told(ball_on_rope + more + "0.535, -0.71, 0]]\n").find("tied already"), std::string::npos);
  EXPECT_NE(told(ball_on_rope + more + "0, 0, 0]]\n").find("held already"), std::string::npos);
}

const std::string space = R"(
gravity = [0, 0, 0]
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
tolerance = 1e-12
)";

std::string box(const std::string& name, const std::string& center, const std::string& size,
                const std::string& more = "") {
  return "[[body]]\nname = '" + name + "'\nkind = 'rigid'\nshape = 'box'\nedge = 0.2\ncenter = " + center +
         "\nsize = " + size + "\ndensity = 500\n" + more;
}

std::string tie(const std::string& body, const std::string& to, const std::string& points) {
  return "[[attachment]]\nbody = '" + body + "'\nto = '" + to + "'\npoints = " + points + "\n";
}

TEST(Ties, a_node_of_the_body_must_be_where_the_point_is_and_the_refusal_names_its_place) {
  const std::string boxes = space + box("big", "[0, 0, 0]", "[0.5, 0.5, 0.5]") +
                            box("small", "[0, 0.36, 0]", "[0.2, 0.2, 0.2]");  // vertices: every 0.1667 m and 0.2 m
  const std::string refusal = told(boxes + tie("big", "small", "[[0.05, 0.25, 0.05]]"));
  const std::size_t at = refusal.find('[');
  ASSERT_NE(at, std::string::npos) << refusal;
  EXPECT_NE(refusal.find("is 0.0471 m away"), std::string::npos) << refusal;  // (0.25/3 - 0.05) √2
  const std::string place = refusal.substr(at, refusal.find(']') + 1 - at);
  EXPECT_EQ(told(boxes + tie("big", "small", "[" + place + "]")), "");
}

TEST(Ties, a_node_is_tied_to_what_is_within_an_edge_or_touches_if_thin) {
  const auto rope_at = [](double y) {
    return "[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [[0, " + std::to_string(y) +
           ", 0], [0, 1.5, 0]]\nedge = 0.1\nrod_radius = 0.01\n";
  };
  const auto tied_at = [](double y) { return tie("rope", "base", "[[0, " + std::to_string(y) + ", 0]]"); };
  const std::string crate = space + box("base", "[0, 0, 0]", "[0.2, 0.2, 0.2]");
  const std::string sheet =
      space +
      "[[body]]\nname = 'base'\nkind = 'shell'\nshape = 'rectangle'\ncenter = [0, 0, 0]\nalong = [0.4, 0, 0]\n"
      "across = [0, 0, -0.4]\nedge = 0.1\nshell_thickness = 0.01\n";
  const std::string other =
      space +
      "[[body]]\nname = 'base'\nkind = 'rod'\nshape = 'line'\npoints = [[-0.5, 0, 0], [0.5, 0, 0]]\nedge = 0.1\n"
      "rod_radius = 0.01\n";
  // The mean edge of the crate is 0.2 (2 + √2) / 3 = 0.228 m: a node may be 0.01 + 1.1 · 0.228 m above its top, and
  // 0.005 + 0.01 + 0.1 · 0.114 m from the middle of the sheet, 0.01 + 0.01 + 0.1 · 0.1 m from the axis of the rod.
  for (const auto& [base, within, beyond, distance] :
       {std::tuple{crate, 0.1 + 0.255, 0.1 + 0.265, "0.265 m"}, std::tuple{sheet, 0.026, 0.027, "0.027 m"},
        std::tuple{other, 0.029, 0.031, "0.031 m"}}) {
    EXPECT_EQ(told(base + rope_at(within) + tied_at(within)), "");
    const std::string refusal = told(base + rope_at(beyond) + tied_at(beyond));
    EXPECT_NE(refusal.find(distance), std::string::npos) << refusal;
  }
  EXPECT_EQ(told(crate + rope_at(0.01) + tied_at(0.01)), "") << "inside it is at no distance";
}

TEST(Ties, a_chain_may_have_any_length_and_a_circle_is_refused_where_it_closes) {
  std::string chain = space, ties;
  for (int i = 0; i < 75; ++i) {
    const double x = -1.6 + 0.022 * i;
    chain += "[[body]]\nname = 'l" + std::to_string(i) + "'\nkind = 'rigid'\nshape = 'box'\nedge = 0.02\ncenter = [" +
             std::to_string(x) + ", 0, 0]\nsize = [0.02, 0.02, 0.02]\ndensity = 500\n";
    if (i < 74)
      ties +=
          tie("l" + std::to_string(i), "l" + std::to_string(i + 1), "[[" + std::to_string(x + 0.01) + ", 0.01, 0.01]]");
  }
  const World world = build_world(parse_scene(chain + ties, "s.toml"));
  EXPECT_EQ(world.ties.size(), 74u);
  for (const Follower& f : all_followers(world)) {
    double sum = 0;
    for (const double w : f.weights) sum += w;
    EXPECT_NEAR(sum, 1, 1e-9);
  }

  // A rope on one of two boxes that are tied to each other: the second tie of these closes the circle.
  const std::string circle =
      box("a", "[0, 0, 0]", "[0.2, 0.2, 0.2]") + box("b", "[0.22, 0, 0]", "[0.2, 0.2, 0.2]") +
      "[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [[0, 0.1, 0], [0, 1, 0]]\n"
      "edge = 0.1\nrod_radius = 0.01\n" +
      tie("rope", "a", "[[0, 0.1, 0]]") + tie("a", "b", "[[0.1, 0.1, 0.1]]");
  EXPECT_EQ(told(space + circle), "");
  const std::string all = space + circle + tie("b", "a", "[[0.12, -0.1, -0.1]]");
  const auto line = std::to_string(1 + std::count(all.begin(), all.begin() + long(all.rfind("[[attachment]]")), '\n'));
  EXPECT_EQ(told(all).rfind("s.toml:" + line + ":", 0), 0u) << told(all);
  EXPECT_NE(told(all).find("circle"), std::string::npos) << told(all);
}

}  // namespace
}  // namespace coracle
