#include "coracle/world/body_start.h"

#include "../shape/mesh_files.h"
#include "coracle/world/bodies.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

BodyOptions bar() {
  BodyOptions options;
  options.name = "bar";
  options.mesh = BodyMesh::grid6;
  options.shape.kind = ShapeKind::box;
  options.shape.center = Vec3(0.5, 0.5, 0.5);
  options.shape.size = Vec3(0.4, 0.2, 0.2);
  options.cells = Vec3i(2, 1, 1);
  return options;
}

template <class F>
std::string reason_of(F&& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(BodyStart, formulas_give_every_node_its_displacement_and_velocity) {
  BodyOptions options = bar();
  options.velocity = {0, 0, 1};
  options.start_displacement = {"0", "0.1*sin(pi*x)", "0"};
  options.start_velocity = {"-y", "0", "z^2"};
  const Body body = build_body(options);
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    const Vec3& rest = body.rest->x[i];
    EXPECT_TRUE(body.x[i].isApprox(rest + Vec3(0, 0.1 * std::sin(M_PI * rest.x()), 0), 1e-12));
    EXPECT_TRUE(body.v[i].isApprox(Vec3(-rest.y(), 0, 1 + rest.z() * rest.z()), 1e-12));
  }
}

TEST(BodyStart, held_nodes_keep_what_their_holds_prescribe) {
  BodyOptions options = bar();
  options.start_displacement = {"0.1", "0.1", "0"};
  HoldOptions roller;
  roller.kind = HoldKind::roller, roller.side = BodySide::x_min, roller.normal = Vec3::UnitX();
  options.holds.push_back(roller);
  const Body body = build_body(options);
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    const bool held = body.rest->x[i].x() < 0.3 + 1e-9;
    EXPECT_TRUE((body.x[i] - body.rest->x[i]).isApprox(Vec3(held ? 0 : 0.1, 0.1, 0), 1e-9));
  }
}

TEST(BodyStart, a_file_gives_numbers_per_node) {
  const TestFolder folder;
  BodyOptions options = bar();
  const std::size_t nodes = build_body(options).x.size();
  std::string text = "# dx dy dz vx vy vz\n0.01, 0, 0, 1, 2, 3\n";
  for (std::size_t i = 1; i < nodes; ++i) text += "0 0 0.02\n";
  options.start_file = folder.write("start.txt", text);
  const Body body = build_body(options);
  EXPECT_TRUE((body.x[0] - body.rest->x[0]).isApprox(Vec3(0.01, 0, 0), 1e-9));
  EXPECT_EQ(body.v[0], Vec3(1, 2, 3));
  EXPECT_TRUE((body.x[1] - body.rest->x[1]).isApprox(Vec3(0, 0, 0.02), 1e-9));
}

TEST(BodyStart, what_cannot_be_used_is_named) {
  const TestFolder folder;
  BodyOptions options = bar();
  options.start_displacement = {"0", "1/(x - x)", "0"};
  EXPECT_NE(reason_of([&] { build_body(options); }).find("start_displacement at x = "), std::string::npos);
  options.start_displacement.clear();
  options.start_file = folder.write("start.txt", "0 0 0\n0 0\n");
  EXPECT_NE(reason_of([&] { build_body(options); }).find("start.txt:2: 2 numbers"), std::string::npos);
  folder.write("start.txt", "0 0 0\n0 0 up\n");
  EXPECT_NE(reason_of([&] { build_body(options); }).find("start.txt:2: 'up' is not a number"), std::string::npos);
  folder.write("start.txt", "0 0 0\n");
  EXPECT_NE(reason_of([&] { build_body(options); }).find("has 1 lines of numbers, and the body has "),
            std::string::npos);
}

}  // namespace
}  // namespace coracle
