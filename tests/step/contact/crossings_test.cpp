// The judge of contact: it finds crossings that are made on purpose, and none in a sound state.
#include "validation/crossings.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

using validation::crossings;

// A sheet of 1 m in the plane y = 0, and above it a rigid box of 0.2 m that stands on a corner.
constexpr const char* sheet_and_box = R"(
[[body]]
name = "sheet"
kind = "shell"
shape = "rectangle"
center = [0, 0, 0]
along = [1, 0, 0]
across = [0, 0, -1]
edge = 0.25
shell_thickness = 0.002
[[body]]
name = "box"
kind = "rigid"
shape = "box"
edge = 0.5
center = [0.02, 0.2, 0.03]
size = [0.2, 0.2, 0.2]
rotate = [35.26, 0, 45]
)";

std::string room(const std::string& contact) {
  return "[domain]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\nresolution = 8\n[contact]\nkind = '" + contact + "'\n";
}

World world_of(const std::string& bodies) {
  return build_world(parse_scene(room("barrier") + bodies, "crossings.toml"));
}

void move(Body& body, const Vec3& by) {
  for (Vec3& x : body.x) x += by;
}

// Two ropes along x and z, the second one above the first.
World two_ropes(double gap, const std::string& more = "") {
  World world = world_of(R"(
[[body]]
name = "a"
kind = "rod"
shape = "line"
points = [[-0.5, 0, 0.01], [0.5, 0, 0.01]]
edge = 0.2
rod_radius = 0.01
[[body]]
name = "b"
kind = "rod"
shape = "line"
points = [[0.03, 0.1, -0.5], [0.03, 0.1, 0.5]]
edge = 0.2
rod_radius = 0.02
)" + more);
  move(world.bodies[1], Vec3(0, 0.03 + gap - 0.1, 0));
  return world;
}

TEST(Crossings, bodies_that_are_apart_do_not_cross) { EXPECT_EQ(crossings(world_of(sheet_and_box)), 0); }

TEST(Crossings, the_tip_of_a_box_crosses_a_sheet_by_its_edges_wherever_both_stand) {
  // The lowest corner alone is below the sheet: as many edges of the box pass the sheet as meet at that corner. It is
  // so near to the middle of a triangle that no edge of the sheet reaches the box.
  World world = world_of(sheet_and_box);
  Body& box = world.bodies[1];
  const std::vector<int>& nodes = box.rest->skin.nodes;
  const int tip = *std::ranges::min_element(nodes, {}, [&](int n) { return box.x[n].y(); });
  const Vec3i& t = world.bodies[0].rest->skin.tris[5];
  const std::vector<Vec3>& sheet = world.bodies[0].x;
  const Vec3 middle = (sheet[t[0]] + sheet[t[1]] + sheet[t[2]]) / 3;
  std::vector<int> beside;
  for (const Vec3i& s : box.rest->skin.tris)
    if ((s.array() == tip).any())
      for (const int n : s)
        if (n != tip && std::ranges::find(beside, n) == beside.end()) beside.push_back(n);

  move(box, middle + Vec3(0, 1e-6, 0) - box.x[tip]);
  EXPECT_EQ(crossings(world), 0);
  move(box, Vec3(0, -0.01, 0));
  EXPECT_EQ(crossings(world), int(beside.size()));
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Body& body : world.bodies)
    for (Vec3& x : body.x) x = turn * x + Vec3(4, -5, 6);
  EXPECT_EQ(crossings(world), int(beside.size()));
}

TEST(Crossings, a_body_with_flat_sides_crosses_nothing_however_it_is_turned) {
  World world = world_of(R"(
[[body]]
name = "cube"
shape = "box"
mesh = "grid6"
cells = [3, 3, 3]
element = "linear"
center = [0, 0, 0]
size = [0.3, 0.3, 0.3]
)");
  for (int i = 0; i < 20; ++i) {
    const Mat3 turn = Eigen::AngleAxisd(i, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (Vec3& x : world.bodies[0].x) x = turn * x;
    EXPECT_EQ(crossings(world), 0) << i;
  }
}

TEST(Crossings, a_sheet_that_is_folded_through_itself_is_found) {
  World world = world_of(sheet_and_box);
  Body& sheet = world.bodies[0];
  // The right half is turned over and lies 0.5 m above the left one; then it is tilted, until it passes through.
  for (Vec3& x : sheet.x)
    if (x.x() > 0.01) x = Vec3(0.17 - x.x(), 0.5, x.z() + 0.01);
  move(world.bodies[1], Vec3(0, 0, 5));
  EXPECT_EQ(crossings(world), 0);
  for (Vec3& x : sheet.x)
    if (x.y() > 0.1) x.y() = 0.5 + 2.1 * x.x();  // not exactly through an edge
  EXPECT_GT(crossings(world), 0);
}

TEST(Crossings, rods_cross_when_they_are_nearer_than_their_radii) {
  EXPECT_EQ(crossings(two_ropes(1e-6)), 0);
  EXPECT_EQ(crossings(two_ropes(-1e-6)), 1);
}

TEST(Crossings, a_rod_does_not_cross_itself_where_it_is_one_piece_but_where_it_comes_back) {
  World world = world_of(R"(
[[body]]
name = "thick"
kind = "rod"
shape = "line"
points = [[-0.5, 0, 0], [0.5, 0, 0]]
edge = 0.02
rod_radius = 0.05
)");
  EXPECT_EQ(crossings(world), 0);         // segments are shorter than the rod is thick
  const auto bend = [&](double radius) {  // a circle and a half, one turn above the other by 0.09 m
    for (std::size_t n = 0; n < world.bodies[0].x.size(); ++n) {
      const double angle = world.bodies[0].rest->x[n].x() / radius;
      world.bodies[0].x[n] = {radius * std::cos(angle), 0.09 * angle / (2 * M_PI), radius * std::sin(angle)};
    }
  };
  bend(1 / M_PI);  // half a circle
  EXPECT_EQ(crossings(world), 0);
  bend(1 / (3 * M_PI));
  EXPECT_GT(crossings(world), 0);
}

TEST(Crossings, two_prescribed_parts_do_not_count_but_one_does) {
  const std::string pin =
      "[[body.hold]]\ntype = \"pin\"\n[[body.hold.region]]\nshape = \"box\"\ncenter = [0, 0, 0]\n"
      "size = [2, 2, 2]\n";
  World world = two_ropes(-0.01, pin);
  EXPECT_EQ(crossings(world), 1);  // the second one alone is held
  world.bodies[0].rest = world.bodies[1].rest;
  EXPECT_EQ(crossings(world), 0);
}

TEST(Crossings, a_tied_end_may_touch_its_partner) {
  // The end of b hangs at a; with the tie it may lie in a.
  World world = two_ropes(0);
  Body& rope = world.bodies[1];
  for (std::size_t n = 0; n < rope.x.size(); ++n) rope.x[n] = Vec3(0.13, 0.01 + 0.2 * double(n), 0.01);
  EXPECT_EQ(crossings(world), 1);
  const int first = int(world.bodies[0].x.size());
  world.ties = {{.node = first, .leaders = {3, 4}, .weights = {0.5, 0.5}}};
  EXPECT_EQ(crossings(world), 0);
}

TEST(Crossings, a_falling_box_never_crosses_a_held_sheet_with_the_barrier_and_does_without_contact) {
  const auto most = [](const std::string& kind) {
    std::string toml = room(kind) + sheet_and_box;
    toml += "velocity = [0, -5, 0]\n[time]\nfps = 50\nframes = 4\nmax_dt = 0.01\n";
    const std::string holds =
        "[[body.hold]]\ntype = \"pin\"\nside = \"x_min\"\n[[body.hold]]\ntype = \"pin\"\n"
        "side = \"x_max\"\n";
    toml.insert(toml.find("[[body]]\nname = \"box\""), holds);
    int worst = 0;
    validation::run_text(toml, "crossings", [&](const StepReport&, const World& world, const Workspace&) {
      worst = std::max(worst, crossings(world));
    });
    return worst;
  };
  EXPECT_EQ(most("barrier"), 0);
  EXPECT_GT(most("none"), 0);
}

}  // namespace
}  // namespace coracle
