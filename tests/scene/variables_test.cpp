// [variables] and the formulas that use them.
#include "coracle/scene.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace coracle {
namespace {

using Words = std::vector<std::string>;

Words problems_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  Words all;
  try {
    parse_scene(text, "s.toml", overrides);
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all.push_back(p.text());
  }
  return all;
}

const std::string scene = R"([variables]
radius = 0.1
gap = "=radius/2"
cells = 8
[domain]
resolution = "=4*cells"
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, "=3*gap", 1]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.5, "=2*radius + gap", 0.5]
radius = "=radius"
[preset.small]
variables.radius = 0.05
)";

TEST(Variables, give_numbers_vectors_and_counts) {
  const Scene s = parse_scene(scene, "s.toml");
  EXPECT_EQ(s.domain.resolution, 32);
  EXPECT_DOUBLE_EQ(s.liquid.regions[0].shape.size.y(), 0.15);
  EXPECT_DOUBLE_EQ(s.solids[0].shape.center.y(), 0.25);
  EXPECT_EQ(s.solids[0].shape.radius, 0.1);
}

TEST(Variables, are_changed_by_set_and_by_presets) {
  const Scene wide = parse_scene(scene, "s.toml", {{"variables.radius", "0.2"}});
  EXPECT_DOUBLE_EQ(wide.solids[0].shape.center.y(), 0.5);
  const Scene small = parse_scene(scene, "s.toml", {}, "small");
  EXPECT_DOUBLE_EQ(small.solids[0].shape.center.y(), 0.125);
  const Scene formula = parse_scene(scene, "s.toml", {{"solid.ball.radius", "=radius - 0.02"}});
  EXPECT_DOUBLE_EQ(formula.solids[0].shape.radius, 0.08);
}

TEST(Variables, leave_only_numbers_in_the_resolved_scene) {
  const std::string resolved = to_toml(parse_scene(scene, "s.toml"));
  EXPECT_EQ(resolved.find("\"="), std::string::npos);
  EXPECT_EQ(resolved.find("variables"), std::string::npos);
  EXPECT_EQ(to_toml(parse_scene(resolved, "run.toml")), resolved);
}

TEST(Variables, that_are_wrong_are_named_with_their_place_and_a_remedy) {
  const std::string text =
      "[variables]\n"                          // 1
      "a = \"=b\"\n"                           // 2
      "b = \"=a + 1\"\n"                       // 3
      "pi = 3\n"                               // 4
      "name = \"long\"\n"                      // 5
      "2nd = 1\n"                              // 6
      "radius = 0.1\n"                         // 7
      "[[liquid.region]]\n"                    // 8
      "shape = 'sphere'\n"                     // 9
      "center = [0.5, \"=radios\", 0.5]\n"     // 10
      "radius = '2*radius'\n"                  // 11
      "[domain]\n"                             // 12
      "resolution = \"=10*radius + 20.5\"\n";  // 13
  const std::string circle =
      "s.toml:3:1: 'b' cannot be computed from '=a + 1': the variables use each other in a circle, a, b, a; give one "
      "of "
      "them a number";
  const std::string unknown =
      "s.toml:10:1: 'center' cannot be computed from '=radios': there is no variable 'radios' in [variables]; did you "
      "mean 'radius'?";
  const Words expected = {
      circle,
      "s.toml:2:1: 'a' cannot be computed from '=b': its variable 'b' is wrong",
      "s.toml:4:1: 'pi' is a word of formulas already; choose another name",
      "s.toml:5:1: 'name' must be a number or a formula, such as \"=2*radius\", not a string",
      "s.toml:6:1: a variable's name has letters, digits and _, and starts with no digit: '2nd' cannot be one",
      unknown,
      "s.toml:11:1: 'radius' must be a number (m), not a string; did you mean \"=2*radius\"?",
      "s.toml:13:1: 'resolution' must be an integer (cells), not a number with a fraction",
  };
  Words found = problems_of(text);
  Words sorted = expected;
  std::sort(found.begin(), found.end());
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(found, sorted);
}

TEST(Variables, that_no_formula_can_use_are_refused_on_the_command_line) {
  EXPECT_EQ(problems_of(scene, {{"variables.radios", "1"}}),
            Words{"--set variables.radios=1: the scene has no variable 'radios'; did you mean 'radius'?"});
}

TEST(Variables, go_into_fields_as_numbers) {
  const std::string body = "[[body]]\nname = 'b'\nshape = 'sphere'\ncenter = [0.5, 0.7, 0.5]\nradius = 0.1\n";
  const Scene s = parse_scene(scene + body + "start_velocity = [0, '=-gap*x + sin(cells*y)', 1.5]\n", "s.toml");
  EXPECT_EQ(s.bodies[0].start_velocity, (Words{"0", "-(0.05)*x + sin((8)*y)", "1.5"}));
  const std::string once = to_toml(s);
  EXPECT_EQ(to_toml(parse_scene(once, "s.toml")), once);
  EXPECT_EQ(problems_of(scene + body + "start_velocity = [0, '=gup*x', 0]\n"),
            Words{"s.toml:23:1: 'start_velocity' cannot be computed from 'gup*x': there is no 'gup' here; a field is a "
                  "formula of x, y, z and variables (entry 2)"});
  EXPECT_EQ(problems_of(scene + body + "start_displacement = '=x'\n"),
            Words{"s.toml:23:1: 'start_displacement' must be an array of 3 formulas of x, y, z, such as [0, "
                  "\"=0.1*sin(pi*x)\", 0], not a string"});
}

TEST(Variables, do_not_touch_text) {
  EXPECT_EQ(parse_scene("title = '=== a title ==='\n" + scene, "s.toml").title, "=== a title ===");
}

TEST(Variables, are_in_the_schema) {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  EXPECT_TRUE(schema["properties"].contains("variables"));
  EXPECT_TRUE(schema["properties"].contains("include"));
  EXPECT_TRUE(schema["$defs"]["preset"]["properties"].contains("variables"));
  EXPECT_EQ(schema["properties"]["liquid"]["properties"]["density"]["pattern"], "^=");
}

}  // namespace
}  // namespace coracle
