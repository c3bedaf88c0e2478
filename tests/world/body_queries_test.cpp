#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world/bodies.h"
#include "made_bodies.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <numbers>

namespace coracle {
namespace {

const Vec3 center(0.5, 0.6, 0.7);

Body cloth() { return shell_body(rectangle_mesh(center, Vec3(0.4, 0, 0), Vec3(0, 0, 0.3), 0.05), 0.01); }
Body rope() { return rod_body(line_mesh({center, center + Vec3(0.5, 0, 0), center + Vec3(0.5, 0.2, 0)}, 0.05), 0.02); }
Body stone() { return rigid_body(sphere_mesh(center, 0.2, 0.05)); }

TEST(BodyQueries, the_volume_of_a_body_is_that_of_its_material) {
  EXPECT_NEAR(body_volume(cloth()), 0.4 * 0.3 * 0.01, 1e-12);
  EXPECT_NEAR(body_volume(rope()), std::numbers::pi * 0.02 * 0.02 * 0.7, 1e-12);
  EXPECT_NEAR(body_volume(stone()), 4 * std::numbers::pi / 3 * 0.008, 1e-10);
  // mass = ρ V at rest
  for (const Body& body : {cloth(), rope()}) {
    double mass = 0;
    for (const double m : body.rest->mass) mass += m;
    EXPECT_NEAR(mass, body.rest->options.density * body_volume(body), 1e-12 * mass);
  }
  Body stretched = rope();
  for (Vec3& x : stretched.x) x *= 2;
  EXPECT_NEAR(body_volume(stretched), 2 * body_volume(rope()), 1e-12);
}

TEST(BodyQueries, elements_are_counted_in_the_words_of_their_kind) {
  EXPECT_EQ(count_elements(*cloth().rest), "96 triangles");
  EXPECT_EQ(count_elements(*rope().rest), "14 segments");
  const Body body = stone();
  EXPECT_EQ(count_elements(*body.rest), "rigid, " + std::to_string(body.rest->skin.tris.size()) + " triangles");
}

// Points of the material follow an affine map exactly: elements are linear.
TEST(BodyQueries, places_in_a_body_follow_an_affine_map) {
  const Vec3 shift(0.1, -0.2, 0.3);
  Mat3 a = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const auto check = [&](const Body& body, const std::vector<Vec3>& points) {
    std::vector<Vec3> x;
    std::vector<double> height;
    for (const Vec3& p : body.rest->x) x.push_back(a * p + shift), height.push_back(p.y());
    const Embedding places = embed(*body.rest, points);
    const std::vector<Vec3> moved = embedded(places, *body.rest, x);
    const std::vector<double> heights = embedded(places, *body.rest, height);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT((moved[i] - (a * points[i] + shift)).norm(), 1e-12);
      EXPECT_NEAR(heights[i], points[i].y(), 1e-12);
    }
  };
  check(stone(), {center, center + Vec3(0.1, 0.05, 0), center + Vec3(5, 5, 5)});  // inside and far outside
  a.col(0) *= 1.3;
  a.col(1) += 0.2 * a.col(2);
  check(cloth(), {center, center + Vec3(0.123, 0, 0.1), center + Vec3(-0.2, 0, 0.15)});
  check(rope(), {center + Vec3(0.123, 0, 0), center + Vec3(0.5, 0.111, 0), center});
}

TEST(BodyQueries, weights_at_a_point_are_those_of_its_place) {
  BodyOptions cube;
  cube.mesh = BodyMesh::grid6, cube.shape.center = center, cube.shape.size = Vec3::Constant(0.4);
  cube.cells = Vec3i(2, 2, 2);
  BodyOptions quadratic = cube;
  quadratic.element = ElementOrder::quadratic;
  for (const Body& body : {cloth(), rope(), stone(), build_body(cube), build_body(quadratic)}) {
    const Vec3 point = center + Vec3(0.11, 0, 0);  // of the cloth, the rope and the others
    const Follower at = weights_at(*body.rest, point);
    Vec3 sum = Vec3::Zero();
    double total = 0;
    for (std::size_t a = 0; a < at.leaders.size(); ++a) {
      sum += at.weights[a] * body.x[at.leaders[a]];
      total += at.weights[a];
    }
    EXPECT_NEAR(total, 1, 1e-12);
    EXPECT_LT((sum - point).norm(), 1e-12) << body.name;
  }
  const Body line = rope();
  const Follower at_node = weights_at(*line.rest, line.x[3]);
  EXPECT_EQ(at_node.leaders, std::vector<int>{3});
  EXPECT_EQ(at_node.weights, std::vector<double>{1});
}

TEST(BodyQueries, a_place_beside_a_sheet_or_a_rope_is_its_nearest_point) {
  const Body sheet = cloth(), line = rope();
  const auto nearest = [](const Body& body, const Vec3& point) {
    return embedded(embed(*body.rest, {point}), *body.rest, body.x)[0];
  };
  EXPECT_LT((nearest(sheet, center + Vec3(0.1, 0.3, 0.05)) - center - Vec3(0.1, 0, 0.05)).norm(), 1e-12);
  EXPECT_LT((nearest(line, center + Vec3(0.22, -0.1, 0.2)) - center - Vec3(0.22, 0, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace coracle
