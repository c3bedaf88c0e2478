#include "coracle/world/join_velocities.h"

#include "coracle/step/advance.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"
#include "coracle/world/ties.h"
#include "validation/setup.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

using validation::Momenta, validation::momenta;

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
tolerance = 1e-12
max_iterations = 100
newton = true
)";

// Big's vertices are 1/6 m apart; the points are three of its upper side.
std::string two_boxes(const std::string& of_big, const std::string& of_small) {
  return "[[body]]\nname = 'big'\nkind = 'rigid'\nshape = 'box'\nedge = 0.2\ncenter = [0, 0, 0]\n"
         "size = [0.5, 0.5, 0.5]\ndensity = 500\n" +
         of_big +
         "[[body]]\nname = 'small'\nkind = 'rigid'\nshape = 'box'\nedge = 0.2\ncenter = [0.1, 0.36, 0]\n"
         "size = [0.2, 0.2, 0.2]\ndensity = 500\n" +
         of_small +
         "[[attachment]]\nbody = 'big'\nto = 'small'\npoints = [[0.08333, 0.25, 0.08333], [-0.08333, 0.25, 0.08333], "
         "[0.08333, 0.25, -0.08333]]\n";
}

// The largest velocity by which nodes leave those that they follow.
double parting(const World& world) {
  std::vector<Vec3> v;
  for (const Body& body : world.bodies) v.insert(v.end(), body.v.begin(), body.v.end());
  double most = 0;
  for (const Follower& f : all_followers(world)) {
    Vec3 away = v[f.node];
    for (std::size_t i = 0; i < f.leaders.size(); ++i) away -= f.weights[i] * v[f.leaders[i]];
    most = std::max(most, away.norm());
  }
  return most;
}

// The largest rate at which two nodes of a body part, relative to their distance.
double strain_rate(const Body& body) {
  double most = 0;
  for (std::size_t i = 1; i < body.x.size(); ++i) {
    const Vec3 r = body.x[i] - body.x[0];
    most = std::max(most, std::abs(r.dot(body.v[i] - body.v[0])) / r.squaredNorm());
  }
  return most;
}

TEST(JoinVelocities, tied_bodies_start_together_with_the_momenta_that_they_bring) {
  for (const std::string brought : {"spin = [1, 2, 3]\n", "velocity = [1, -2, 0.5]\nspin = [-1, 0, 4]\n"}) {
    const Scene scene = parse_scene(space + two_boxes(brought, ""), "s.toml");
    const Momenta before = momenta(build_bodies(scene));
    const World world = build_world(scene);
    const Momenta joined = momenta(world.bodies);
    EXPECT_LT(parting(world), 1e-12);
    EXPECT_LT((joined.linear - before.linear).norm(), 1e-12 * before.linear.norm() + 1e-10);
    EXPECT_LT((joined.angular - before.angular).norm(), 1e-10 * before.angular.norm());
    EXPECT_LT(joined.energy, before.energy) << "an inelastic impact";
    for (const Body& body : world.bodies) EXPECT_LT(strain_rate(body), 1e-12) << body.name;
    // Three ties leave no freedom: the two turn as one, ω = J⁻¹ L, with the energy ½ L·ω and that of the centre.
    Mat3 inertia = Mat3::Zero();
    for (const Body& body : world.bodies)
      for (std::size_t i = 0; i < body.x.size(); ++i) {
        const Vec3 r = body.x[i] - joined.center;
        inertia += body.rest->mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
      }
    const Vec3 spin = before.angular - before.center.cross(before.linear);
    const double energy = 0.5 * spin.dot(inertia.inverse() * spin) + 0.5 * before.linear.squaredNorm() / before.mass;
    EXPECT_NEAR(joined.energy, energy, 1e-12 * energy);
  }
}

TEST(JoinVelocities, the_angular_momentum_of_tied_boxes_is_kept_over_the_steps) {
  const Scene scene = parse_scene(space + "integrator = 'midpoint'\n" + two_boxes("spin = [1, 2, 3]\n", ""), "s.toml");
  const Momenta before = momenta(build_bodies(scene));
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  while (world.clock.frame < scene.time.frames) {
    (void)advance_step(scene, world, work);
    EXPECT_LT((momenta(world.bodies).angular - before.angular).norm(), 1e-6 * before.angular.norm())
        << world.clock.step;
  }
}

TEST(JoinVelocities, bodies_that_agree_keep_their_velocities_to_the_last_bit) {
  const std::string turning = "start_velocity = ['=-2*y', '=2*x', '=0.3']\n";  // about the same axis
  for (const std::string& both : {std::string("velocity = [0.1, 0.2, 0.3]\n"), turning}) {
    // A third pair does not agree, and does not change those.
    const std::string others =
        "[[body]]\nname = 'one'\nkind = 'rod'\nshape = 'line'\npoints = [[1, 0, 0], [1, 1, 0]]\nedge = 0.25\n"
        "rod_radius = 0.01\nvelocity = [1, 0, 0]\n"
        "[[body]]\nname = 'two'\nkind = 'rod'\nshape = 'line'\npoints = [[1, 1, 0], [1, 1.5, 0]]\nedge = 0.25\n"
        "rod_radius = 0.01\n[[attachment]]\nbody = 'one'\nto = 'two'\npoints = [[1, 1, 0]]\n";
    std::string text = space;
    text += two_boxes(both, both);
    const Scene scene = parse_scene(text + others, "s.toml");
    const std::vector<Body> alone = build_bodies(scene);
    const World world = build_world(scene);
    for (int b = 0; b < 2; ++b) EXPECT_EQ(world.bodies[b].v, alone[b].v) << alone[b].name;
    // Their end nodes have the masses 1 and 1 of segments of equal length, and meet at half the speed.
    EXPECT_LT((world.bodies[2].v.back() - Vec3(0.5, 0, 0)).norm(), 1e-12);
    EXPECT_LT((world.bodies[3].v.front() - Vec3(0.5, 0, 0)).norm(), 1e-12);
    EXPECT_LT((world.bodies[2].v.front() - Vec3(1, 0, 0)).norm(), 1e-12);
  }
}

TEST(JoinVelocities, what_is_tied_to_a_held_body_starts_with_the_motion_of_the_hold) {
  const std::string hold =
      "[[body.hold]]\ntype = 'pin'\nside = 'y_max'\n[[body.hold.motion]]\ntype = 'velocity'\nvelocity = [0, 0, 0.5]\n";
  const World world =
      build_world(parse_scene(space + two_boxes("velocity = [1, 2, 3]\nspin = [5, 0, 0]\n", hold), "s.toml"));
  EXPECT_LT(parting(world), 1e-12);
  for (const Body& body : world.bodies)
    for (const Vec3& v : body.v) EXPECT_LT((v - Vec3(0, 0, 0.5)).norm(), 1e-12) << body.name;
}

}  // namespace
}  // namespace coracle
