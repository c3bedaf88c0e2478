#include "coracle/scene.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

std::string problems_of(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
    return "";
  } catch (const SceneError& error) {
    return error.what();
  }
}

const std::string torus = "shape = 'torus'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.2\ntube = 0.1\naxis = [1, 0, 0]\n";
const std::string shell = "shape = 'hollow_sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.3\nthickness = 0.1\n";
const std::string blob =
    "shape = 'smooth_union'\nblend = 0.05\nparts = [{shape = 'sphere', center = [0.4, 0.5, 0.5], radius = 0.2}, "
    "{shape = 'torus', center = [0.6, 0.5, 0.5], radius = 0.2, tube = 0.1}]\n";
const std::string region = "[[liquid.region]]\n", solid = "[[solid]]\nname = 'a'\n";
const std::string water = region + "shape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.1, 1]\n";

bool says(const std::string& text, const std::string& what) {
  return problems_of(text).find(what) != std::string::npos;
}

TEST(Shapes, torus_hollow_sphere_and_smooth_union_are_liquid_regions) {
  for (const std::string& shape : {torus, shell, blob}) EXPECT_EQ(problems_of(region + shape), "");
  const Scene scene = parse_scene(region + blob, "s.toml");
  EXPECT_EQ(scene.liquid.regions[0].shape.kind, ShapeKind::smooth_union);
  EXPECT_EQ(scene.liquid.regions[0].shape.blend, 0.05);
  EXPECT_EQ(scene.liquid.regions[0].shape.parts[1].tube, 0.1);
}

TEST(Shapes, they_survive_being_written) {
  for (const std::string& shape : {torus, shell, blob}) {
    const std::string once = to_toml(parse_scene(region + shape, "s.toml"));
    EXPECT_EQ(to_toml(parse_scene(once, "s.toml")), once);
  }
}

TEST(Shapes, a_solid_may_be_a_torus_or_a_hollow_sphere_but_no_smooth_union) {
  EXPECT_EQ(problems_of(water + solid + torus), "");
  EXPECT_EQ(problems_of(water + solid + shell), "");
  EXPECT_TRUE(says(water + solid + blob, "a smooth_union cannot be a solid"));
}

TEST(Shapes, an_intersection_is_a_liquid_region_and_must_not_be_empty) {
  const std::string ball = "{shape = 'sphere', center = [0.5, 0.5, 0.5], radius = 0.3}";
  const auto common = [&](const std::string& other) {
    return region + "shape = 'intersection'\nparts = [" + ball + ", " + other + "]\n";
  };
  const std::string half = "{shape = 'half_space', point = [0, 0.5, 0], normal = [0, 1, 0]}";
  EXPECT_EQ(problems_of(common(half)), "");
  const std::string once = to_toml(parse_scene(common(half), "s.toml"));
  EXPECT_EQ(to_toml(parse_scene(once, "s.toml")), once);
  EXPECT_TRUE(says(common("{shape = 'sphere', center = [0.5, 0.95, 0.5], radius = 0.1}"),
                   "s.toml:3:1: the parts have nothing in common"));
  EXPECT_TRUE(
      says(water + solid + "shape = 'intersection'\nparts = [" + ball + "]\n", "an intersection cannot be a solid"));
}

TEST(Shapes, sizes_that_contradict_each_other_are_named) {
  const std::string fat = "shape = 'torus'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\ntube = 0.2\n";
  EXPECT_TRUE(says(region + fat, "s.toml:5:1: 'tube' (0.2 m) must be below 'radius' (0.1 m)"));
  const std::string full = "shape = 'hollow_sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\nthickness = 0.1\n";
  EXPECT_TRUE(says(region + full, "for a full ball use a sphere"));
  EXPECT_TRUE(says(water + solid + fat, "must be below 'radius'"));
  EXPECT_TRUE(says(region + "shape = 'union'\nparts = [{shape = 'torus', center = [0, 0, 0], radius = 1, tube = 2}]\n",
                   "must be below 'radius'"));
  EXPECT_TRUE(says(region + "shape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\ntube = 0.1\n", "tube"));
}

}  // namespace
}  // namespace coracle
