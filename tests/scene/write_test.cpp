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
