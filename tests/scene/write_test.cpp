#include "coracle/scene.h"
#include "coracle/scene/scenes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

TEST(Write, every_shipped_scene_reads_back_the_same) {
  for (const SceneInfo& info : shipped_scenes()) {
    const std::string text = to_toml(load_scene(info.path));
    EXPECT_EQ(to_toml(parse_scene(text, "again.toml")), text) << info.name;
  }
}

TEST(Write, every_bit_of_a_number_and_every_kind_survives) {
  const std::string text = R"(
title = "quote \" backslash \\ newline \n tab \t ü"
gravity = [0.1, -9.80665, 1e-17]
[[liquid.region]]
shape = "difference"
parts = [{shape = "half_space", point = [0, 0.333333333333333314, 0]},
         {shape = "union", parts = [{shape = "sphere", center = [0, 0, 0], radius = 0.1},
                                    {shape = "cylinder", center = [1, 1, 1], radius = 0.1, height = 0.7, rotate = [1, 2, 3]}]}]
[[inflow]]
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.1, 0.2, 0.3]
velocity = [1, 2, 3]
[[outflow]]
name = "out"
shape = "sphere"
center = [0.1, 0.1, 0.1]
radius = 0.1
[[solid]]
name = "a"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.1, 0.2, 0.3]
[[solid.motion]]
type = "velocity"
velocity = [0.1, 0.2, 0.3]
[[solid.motion]]
type = "oscillation"
amplitude = [0.1, 0, 0]
frequency = 3
[[solid.motion]]
type = "keyframes"
times = [0, 0.1, 0.7]
offsets = [[0, 0, 0], [0.1, 0.2, 0.30000000000000004], [1, 1, 1]]
[[probe]]
name = "p"
type = "height"
from = [0, 0, 0]
to = [0, 1, 0]
)";
  const Scene scene = parse_scene(text, "a.toml");
  const std::string once = to_toml(scene);
  const Scene again = parse_scene(once, "b.toml");
  EXPECT_EQ(to_toml(again), once);
  EXPECT_EQ(again.title, scene.title);
  EXPECT_EQ(again.gravity, scene.gravity);
  EXPECT_EQ(again.liquid.regions[0].shape.parts[0].point, scene.liquid.regions[0].shape.parts[0].point);
  EXPECT_EQ(again.liquid.regions[0].shape.parts[1].parts[1].rotate, Vec3(1, 2, 3));
  EXPECT_EQ(again.solids[0].motions[2].offsets, scene.solids[0].motions[2].offsets);
  EXPECT_EQ(again.solids[0].motions[0].end, scene.solids[0].motions[0].end);
}

// Keys of a table that are written after one of its sub-tables would belong to the sub-table.
TEST(Write, tables_in_tables_keep_their_keys) {
  const Scene scene = parse_scene(R"(
[[body]]
name = "fish"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.4, 0.2, 0.2]
density = 990
[[body.hold]]
type = "roller"
normal = [0, 0, 1]
[[body.hold.region]]
shape = "sphere"
center = [0.3, 0.5, 0.5]
radius = 0.1
[[body.hold.motion]]
type = "keyframes"
times = [0, 1]
offsets = [[0, 0, 0], [0, 0.1, 0]]
[[body.hold.motion]]
type = "velocity"
velocity = [0.1, 0, 0]
start = 2
[[body.hold]]
type = "pin"
side = "x_max"
[[body.muscle]]
name = "left"
stress = 2e3
swing = 0.25
wavelength = 0.4
along = [-1, 0, 0]
[[body.muscle.region]]
shape = "box"
min = [0, 0, 0.5]
max = [0.5, 1, 1]
[[body.muscle.region]]
shape = "sphere"
center = [0.6, 0.5, 0.5]
radius = 0.1
[[body.muscle]]
name = "right"
stress = 3e3
phase = 3.25
ramp = 0.5
[[body.muscle.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 1, 0.5]
)",
                                  "a.toml");
  const std::string once = to_toml(scene);
  const Scene again = parse_scene(once, "b.toml");
  EXPECT_EQ(to_toml(again), once);
  const BodyOptions& fish = again.bodies[0];
  EXPECT_EQ(fish.density, 990);
  ASSERT_EQ(fish.holds.size(), 2u);
  EXPECT_EQ(fish.holds[0].kind, HoldKind::roller);
  EXPECT_EQ(fish.holds[0].regions.size(), 1u);
  ASSERT_EQ(fish.holds[0].motions.size(), 2u);
  EXPECT_EQ(fish.holds[0].motions[0].offsets, scene.bodies[0].holds[0].motions[0].offsets);
  EXPECT_EQ(fish.holds[0].motions[1].start, 2);
  EXPECT_EQ(fish.holds[1].side, BodySide::x_max);
  ASSERT_EQ(fish.muscles.size(), 2u);
  const MuscleOptions &left = fish.muscles[0], &right = fish.muscles[1];
  EXPECT_EQ(left.regions.size(), 2u);
  EXPECT_EQ(left.stress, 2e3);
  EXPECT_EQ(left.swing, 0.25);
  EXPECT_EQ(left.wavelength, 0.4);
  EXPECT_EQ(left.along, Vec3(-1, 0, 0));
  EXPECT_EQ(right.regions.size(), 1u);
  EXPECT_EQ(right.stress, 3e3);
  EXPECT_EQ(right.phase, 3.25);
  EXPECT_EQ(right.ramp, 0.5);
}

TEST(Schema, is_json_that_knows_every_section) {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  for (const char* key :
       {"title", "gravity", "domain", "time", "liquid", "inflow", "outflow", "solid", "probe", "solver", "output"})
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  const auto& density = schema["properties"]["liquid"]["properties"]["density"];
  EXPECT_EQ(density["exclusiveMinimum"], 0);
  EXPECT_EQ(density["default"], 1000);
  EXPECT_NE(density["description"].get<std::string>().find("kg/m³"), std::string::npos);
  EXPECT_EQ(schema["properties"]["solid"]["items"]["required"], (std::vector<std::string>{"name", "shape"}));
  EXPECT_TRUE(schema["$defs"]["shape"]["properties"].contains("parts"));
}

}  // namespace
}  // namespace coracle
