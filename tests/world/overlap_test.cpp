// Bodies that lie in solids or in each other at the start are named; those that only touch are not.
#include "coracle/world/overlap.h"

#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/simulation.h"
#include "coracle/world/build.h"
#include "made_bodies.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

ShapeOptions box(const Vec3& lo, const Vec3& hi) {
  ShapeOptions shape;
  shape.center = 0.5 * (lo + hi), shape.size = hi - lo;
  return shape;
}

BodyOptions body(const char* name, const Vec3& lo, const Vec3& hi) {
  BodyOptions o;
  o.name = name;
  o.shape = box(lo, hi);
  o.mesh = BodyMesh::grid6;
  o.cells = Vec3i::Constant(4);
  return o;
}

SolidOptions solid(const char* name, const Vec3& lo, const Vec3& hi, bool container = false) {
  SolidOptions o;
  o.name = name;
  o.shape = box(lo, hi);
  o.container = container;
  return o;
}

std::vector<std::string> told(const Scene& scene) {
  std::vector<std::string> all;
  for (const Problem& p : overlap_problems(build_solids(scene), build_bodies(scene))) all.push_back(p.message);
  return all;
}

// A cube of 0.2 m, and what is beside it at x = 0.6.
Scene scene_with(const BodyOptions& other) {
  Scene scene;
  scene.bodies = {body("cube", Vec3(0.4, 0.4, 0.4), Vec3(0.6, 0.6, 0.6)), other};
  return scene;
}

TEST(Overlap, bodies_in_each_other_are_named_with_place_and_depth) {
  EXPECT_TRUE(told(scene_with(body("other", Vec3(0.6, 0.4, 0.4), Vec3(0.8, 0.6, 0.6)))).empty()) << "they touch";
  const Scene scene = scene_with(body("other", Vec3(0.55, 0.4, 0.4), Vec3(0.75, 0.6, 0.6)));
  const auto words = told(scene);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_NE(words[0].find("the body 'other' overlaps the body 'cube' at the start: at (0."), std::string::npos)
      << words[0];
  EXPECT_NE(words[0].find("by 0.05 m; move one of them away"), std::string::npos) << words[0];
  EXPECT_THROW(Simulation{scene}, SceneError);
}

TEST(Overlap, a_small_body_inside_a_large_one_is_found_in_both_orders) {
  const BodyOptions large = body("large", Vec3(0.1, 0.1, 0.1), Vec3(0.9, 0.9, 0.9));
  const BodyOptions small = body("small", Vec3(0.42, 0.42, 0.42), Vec3(0.48, 0.48, 0.48));
  for (const auto& both : {std::vector{large, small}, std::vector{small, large}}) {
    Scene scene;
    scene.bodies = both;
    EXPECT_EQ(told(scene).size(), 1u);
  }
}

TEST(Overlap, a_body_in_a_solid_or_out_of_its_container_is_named) {
  Scene scene;
  scene.bodies = {body("cube", Vec3(0.4, 0.4, 0.4), Vec3(0.6, 0.6, 0.6))};
  scene.solids = {solid("floor", Vec3(0, 0, 0), Vec3(1, 0.4, 1))};
  EXPECT_TRUE(told(scene).empty()) << "it stands on the floor";
  scene.solids[0].shape.size.y() += 0.1;
  ASSERT_EQ(told(scene).size(), 1u);
  EXPECT_NE(told(scene)[0].find("overlaps the solid 'floor'"), std::string::npos);
  scene.solids = {solid("tank", Vec3(0.3, 0.3, 0.3), Vec3(0.7, 0.7, 0.7), true)};
  EXPECT_TRUE(told(scene).empty());
  scene.solids[0].shape.size.x() = 0.1;
  EXPECT_EQ(told(scene).size(), 1u);
}

TEST(Overlap, a_part_that_is_pinned_may_lie_in_a_wall) {
  Scene scene;
  scene.bodies = {body("beam", Vec3(0.2, 0.4, 0.4), Vec3(0.8, 0.6, 0.6))};
  scene.solids = {solid("wall", Vec3(0, 0, 0), Vec3(0.36, 1, 1))};
  EXPECT_EQ(told(scene).size(), 1u);
  HoldOptions& hold = scene.bodies[0].holds.emplace_back();
  hold.regions = {box(Vec3(0, 0, 0), Vec3(0.36, 1, 1))};
  EXPECT_TRUE(told(scene).empty());
}

TEST(Overlap, the_meshing_of_a_large_body_is_announced) {
  Scene scene;
  scene.bodies = {body("cube", Vec3(0.4, 0.4, 0.4), Vec3(0.6, 0.6, 0.6))};
  EXPECT_TRUE(large_bodies(scene).empty());
  scene.bodies[0].cells = Vec3i::Constant(60);  // 6 · 60³ = 1.3e6
  ASSERT_EQ(large_bodies(scene).size(), 1u);
  EXPECT_EQ(large_bodies(scene)[0], "the body 'cube' is being meshed: about 1.3e+06 tetrahedra");
}

// They have no inside in which others could lie, but may lie in others.
TEST(Overlap, sheets_and_ropes_may_be_anywhere_but_inside_others) {
  Scene scene;
  scene.solids = {solid("block", Vec3(0.1, 0.1, 0.1), Vec3(0.2, 0.9, 0.9))};
  scene.bodies = {body("cube", Vec3(0.4, 0.4, 0.4), Vec3(0.6, 0.6, 0.6))};
  const auto count = [&](const Body& thin, bool thin_first) {
    std::vector<Body> bodies = build_bodies(scene);
    bodies.insert(thin_first ? bodies.begin() : bodies.end(), thin);
    return overlap_problems(build_solids(scene), bodies).size();
  };
  const auto sheet = [](const Vec3& middle) {
    return shell_body(rectangle_mesh(middle, Vec3(0.4, 0, 0), Vec3(0, 0, 0.4), 0.05), 0.01);
  };
  const auto rope = [](const Vec3& middle) {
    return rod_body(line_mesh({middle - Vec3(0.2, 0, 0), middle + Vec3(0.2, 0, 0)}, 0.05), 0.01);
  };
  const Vec3 above(0.5, 0.65, 0.5), below(0.5, 0.35, 0.5), through(0.5, 0.5, 0.5), into_block(0.3, 0.8, 0.5);
  for (const bool first : {false, true}) {
    for (const Vec3& at : {above, below}) {  // in front of the sheet, and behind it
      EXPECT_EQ(count(sheet(at), first), 0u);
      EXPECT_EQ(count(rope(at), first), 0u);
    }
    for (const Vec3& at : {through, into_block}) {
      EXPECT_EQ(count(sheet(at), first), 1u);
      EXPECT_EQ(count(rope(at), first), 1u);
    }
  }
}

TEST(Overlap, leading_nodes_of_a_rigid_body_touch_nothing) {
  Scene scene;
  scene.solids = {solid("block", Vec3(-0.1, -0.1, -0.1), Vec3(0.2, 0.2, 0.2))};  // around a leading node
  const Body far = rigid_body(sphere_mesh(Vec3(0.7, 0.7, 0.7), 0.2, 0.1));
  EXPECT_TRUE(overlap_problems(build_solids(scene), {far}).empty());
  const Body near = rigid_body(sphere_mesh(Vec3(0.3, 0.3, 0.3), 0.3, 0.1));
  EXPECT_EQ(overlap_problems(build_solids(scene), {near}).size(), 1u);
}

}  // namespace
}  // namespace coracle
