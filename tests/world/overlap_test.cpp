// Bodies that lie in solids or in each other at the start are named; those that only touch are not.
#include "coracle/world/overlap.h"

#include "coracle/simulation.h"
#include "coracle/world/build.h"

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

}  // namespace
}  // namespace coracle
