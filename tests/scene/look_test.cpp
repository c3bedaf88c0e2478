// [camera] and [look]: how pictures of a scene are taken.
#include "coracle/scene.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string water = "[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n";

std::string problems_of(const std::string& more) {
  try {
    parse_scene(water + more, "s.toml");
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(Look, what_is_left_out_stays_left_out_and_what_is_given_reads_back) {
  const Scene plain = parse_scene(water, "s.toml");
  EXPECT_FALSE(plain.camera.position);
  EXPECT_FALSE(plain.look.floor);
  EXPECT_FALSE(parse_scene(to_toml(plain), "again.toml").camera.position);

  const Scene given = parse_scene(water + R"([camera]
position = [1, 2.5, 0.1]
[look]
tank = "floor"
floor = -0.25
[[body]]
name = "ball"
shape = "sphere"
center = [0.5, 0.8, 0.5]
radius = 0.1
color = [0.2, 0, 1]
[[solid]]
name = "post"
shape = "box"
min = [0.1, 0, 0.1]
max = [0.2, 0.6, 0.2]
color = [1, 0.25, 0.5]
)",
                                  "s.toml");
  const Scene again = parse_scene(to_toml(given), "again.toml");
  EXPECT_EQ(again.camera.position, Vec3(1, 2.5, 0.1));
  EXPECT_EQ(again.solids.at(0).color, Vec3(1, 0.25, 0.5));
  EXPECT_EQ(again.look.tank, TankLook::floor);
  EXPECT_EQ(again.look.floor, -0.25);
  EXPECT_EQ(again.bodies[0].color, Vec3(0.2, 0, 1));
  EXPECT_EQ(to_toml(again), to_toml(given));
}

TEST(Look, mistakes_are_told_with_their_place) {
  EXPECT_EQ(problems_of("[camera]\nfov = 200"),
            "s.toml:6:1: 'fov' must be at least 1 and at most 150 degrees, not 200");
  EXPECT_EQ(problems_of("[look]\nbackground = [0.5, 2, 0]"),
            "s.toml:6:1: 'background' must be at least 0 and at most 1, not 2 (its y)");
  EXPECT_NE(problems_of("[look]\ntank = \"glas\"").find("did you mean"), std::string::npos);
  EXPECT_NE(problems_of("[look]\ncolour = 1").find("unknown key 'colour' in [look]"), std::string::npos);
  EXPECT_EQ(problems_of("[camera]\nposition = [0.5, 0.5, 0.5]"),
            "s.toml:6:1: the camera stands in its own 'target', the domain's centre");
  EXPECT_NE(problems_of("[camera]\nposition = [0.5, 3, 0.5]").find("looks along 'up'"), std::string::npos);
}

TEST(Look, the_schema_knows_it) {
  for (const char* word : {"\"camera\"", "\"fov\"", "\"liquid_color\"", "\"glass\""})
    EXPECT_NE(scene_schema().find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace coracle
