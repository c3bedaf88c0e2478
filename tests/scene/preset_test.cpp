// Presets: [preset.NAME] tables merged over the rest of a scene.
#include "../shape/mesh_files.h"
#include "coracle/scene.h"
#include "coracle/scene/scenes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace coracle {
namespace {

const std::string scene = R"(title = "plain"
[domain]
resolution = 40
max = [2, 1, 1]
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, 0.5, 1]
[[body]]
name = "beam"
shape = "box"
center = [1.5, 0.5, 0.5]
size = [0.1, 0.5, 0.1]
mesh = "grid6"
cells = [2, 10, 2]
[[body]]
name = "bar"
shape = "box"
center = [1.0, 0.5, 0.5]
size = [0.1, 0.5, 0.1]
mesh = "grid6"
cells = [2, 10, 2]
)";  // 22 lines
const std::string quick = R"([preset.quick]
domain.resolution = 16
body.0.cells = [1, 5, 1]
body.bar.cells = [1, 4, 1]
liquid.region.0.max = [0.4, 0.4, 1]
time = {frames = 3}
gravity.1 = -1
)";
const std::string paper = "[preset.paper]\n[preset.paper.domain]\nresolution = 80\n";

Scene read(const std::string& text, const std::string& preset, const std::vector<Override>& overrides = {}) {
  return parse_scene(text, "s.toml", overrides, preset);
}

std::vector<std::string> problems_of(const std::string& text, const std::string& preset = "",
                                     const std::vector<Override>& overrides = {}) {
  std::vector<std::string> all;
  try {
    read(text, preset, overrides);
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all.push_back(p.text());
  }
  return all;
}
using Words = std::vector<std::string>;

TEST(Preset, is_merged_over_the_scene_key_by_key_and_entry_by_entry) {
  const Scene s = read("gravity = [0, -2, 0]\n" + scene + quick + paper, "quick");
  EXPECT_EQ(s.preset, "quick");
  EXPECT_EQ(s.title, "plain");
  EXPECT_EQ(s.domain.resolution, 16);
  EXPECT_EQ(s.domain.max, Vec3(2, 1, 1)) << "what the preset does not name stays";
  EXPECT_EQ(s.bodies[0].cells, Vec3i(1, 5, 1));
  EXPECT_EQ(s.bodies[1].cells, Vec3i(1, 4, 1)) << "by name, too";
  EXPECT_EQ(s.liquid.regions[0].shape.size, Vec3(0.4, 0.4, 1));
  EXPECT_EQ(s.time.frames, 3);
  EXPECT_EQ(s.gravity, Vec3(0, -1, 0));
  EXPECT_EQ(read(scene + paper, "paper").domain.resolution, 80);
}

TEST(Preset, an_array_of_tables_replaces_the_whole_array) {
  const Scene s = read(scene +
                           "[[preset.one.body]]\nname = 'ball'\nshape = 'sphere'\ncenter = [1, 0.5, 0.5]\n"
                           "radius = 0.2\nedge = 0.1\n",
                       "one");
  ASSERT_EQ(s.bodies.size(), 1u);
  EXPECT_EQ(s.bodies[0].name, "ball");
}

TEST(Preset, none_is_the_scene_as_written_which_is_called_preview) {
  for (const char* name : {"", "preview"}) {
    const Scene s = read(scene + paper, name);
    EXPECT_EQ(s.domain.resolution, 40);
    EXPECT_EQ(s.preset, "preview");
  }
  const std::string with_preview = scene + "[preset.preview]\ndomain.resolution = 20\n";
  EXPECT_EQ(read(with_preview, "").domain.resolution, 40);
  EXPECT_EQ(read(with_preview, "").preset, "");
  EXPECT_EQ(read(with_preview, "preview").domain.resolution, 20);
  EXPECT_EQ(read(scene, "").preset, "") << "no presets, no name";
}

TEST(Preset, overrides_come_after_it) {
  const Scene s = read(scene + quick + "", "quick", {{"domain.resolution", "24"}, {"gravity", "[0,-1,0]"}});
  EXPECT_EQ(s.domain.resolution, 24);
  EXPECT_EQ(s.time.frames, 3);
}

TEST(Preset, the_resolved_scene_holds_its_name_and_no_tables_and_reads_back) {
  const std::string text = to_toml(read(scene + paper, "paper"));
  EXPECT_NE(text.find("preset = \"paper\""), std::string::npos);
  EXPECT_EQ(text.find("[preset"), std::string::npos);
  EXPECT_EQ(to_toml(read(text, "")), text);
  EXPECT_EQ(to_toml(read(text, "paper")), text);
  EXPECT_EQ(problems_of(text, "quick"),
            Words{"--preset quick: s.toml is already the preset 'paper'; use the scene file that it was made from"});
}

TEST(Preset, an_unknown_one_is_refused_with_the_names_there_are) {
  EXPECT_EQ(problems_of(scene + paper, "papr"),
            Words{"--preset papr: no such preset; did you mean 'paper'? s.toml has preview, paper"});
  EXPECT_EQ(problems_of(scene + paper, "zzzzzz"), Words{"--preset zzzzzz: no such preset; s.toml has preview, paper"});
  EXPECT_EQ(problems_of(scene, "preview"), Words{"--preset preview: s.toml has no presets"});
  EXPECT_EQ(problems_of(scene + "[preset]\n", "preview"), Words{"--preset preview: s.toml has no presets"});
}

TEST(Preset, mistakes_in_any_preset_are_found_whichever_is_chosen_each_at_its_place) {
  const std::string text = scene +                            // 22 lines
                           "[preset.a]\n"                     // 23
                           "domain.resolutoin = 3\n"          // 24
                           "body.2.cells = [1, 1, 1]\n"       // 25
                           "  body.baem.cells = [1, 1, 1]\n"  // 26
                           "body.0.cells = 'x'\n"             // 27
                           "[preset.b]\n"                     // 28
                           "time.frames = -1\n"               // 29
                           "preset.c.title = 'deeper'\n";     // 30
  const Words expected = {
      "s.toml:24:8: unknown key 'resolutoin' in [domain]; did you mean 'resolution'?",
      "s.toml:25:6: there is no '2' in 'body', which holds 2",
      "s.toml:26:8: there is no 'baem' in 'body', which holds 2; did you mean 'beam'?",
      "s.toml:27:8: 'cells' must be an array of 3 integers, not a string",
      "s.toml:29:6: 'frames' must be at least 0 and at most 10000000, not -1",
      "s.toml:30:1: a preset cannot hold presets",
  };
  for (const char* chosen : {"", "preview", "a", "b"}) EXPECT_EQ(problems_of(text, chosen), expected) << chosen;
  EXPECT_EQ(problems_of(text, "", {{"time.frames", "2"}}), expected) << "with --set, too";
}

TEST(Preset, what_it_breaks_elsewhere_is_told_with_its_name) {
  const Words all = problems_of(scene + "[preset.small]\ndomain.max = [1.2, 1, 1]\n");
  EXPECT_EQ(all, Words{"s.toml:11:1: the body 'beam' reaches out of the domain in x: to 1.55 m, beyond 1.2 m; "
                       "move it, make it smaller, or make the domain larger (in preset 'small')"});
  EXPECT_TRUE(problems_of(scene + "[preset.small]\ndomain.max = [1.2, 1, 1]\n", "", {{"time.frames", "2"}}).empty())
      << "with --set only what a preset says itself is looked at, but for the chosen one";
}

TEST(Preset, must_be_tables_with_plain_names_and_not_too_many) {
  EXPECT_EQ(problems_of("preset = 3\n" + scene),
            Words{"s.toml:1:1: 'preset' must be tables, [preset.NAME], not an integer"});
  EXPECT_EQ(problems_of(scene + "[preset]\nquick = 3\n"),
            Words{"s.toml:24:1: 'quick' must be a table, [preset.NAME], not an integer"});
  EXPECT_EQ(problems_of(scene + "[preset.'../up']\n"),
            Words{"s.toml:23:9: a preset's name may hold only letters, digits, '_' and '-', not '../up'"});
  EXPECT_EQ(problems_of(scene + "[preset.'']\n"), Words{"s.toml:23:9: a preset's name must not be empty"});
  std::string many = scene;
  for (int i = 0; i < 40; ++i) many += "[preset.p" + std::to_string(i) + "]\n";
  ASSERT_EQ(problems_of(many).size(), 1u);
  EXPECT_NE(problems_of(many)[0].find("40 presets; 32 are the most"), std::string::npos);
}

TEST(Preset, cannot_be_set_as_an_option) {
  EXPECT_EQ(problems_of(scene + paper, "", {{"preset", "paper"}}),
            Words{"--set preset=paper: presets are chosen with --preset NAME"});
  EXPECT_EQ(problems_of(scene + paper, "", {{"preset.paper.title", "a"}}).size(), 1u);
}

TEST(Preset, names_are_listed_in_the_order_of_the_file_after_preview) {
  const TestFolder folder;
  EXPECT_EQ(scene_presets(folder.write("a.toml", scene + quick + paper)), (Words{"preview", "quick", "paper"}));
  EXPECT_EQ(scene_presets(folder.write("b.toml", scene + paper + "[preset.preview]\n")), (Words{"paper", "preview"}));
  EXPECT_TRUE(scene_presets(folder.write("c.toml", scene)).empty());
  const std::vector<SceneInfo> shipped = shipped_scenes();
  EXPECT_TRUE(std::any_of(shipped.begin(), shipped.end(), [](const SceneInfo& s) { return !s.presets.empty(); }));
}

TEST(Preset, is_in_the_schema_with_all_that_a_scene_may_say) {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  EXPECT_EQ(schema["properties"]["preset"]["anyOf"].size(), 2u);
  const auto& preset = schema["$defs"]["preset"];
  EXPECT_TRUE(preset["properties"].contains("body"));
  EXPECT_FALSE(preset["properties"].contains("preset"));
  EXPECT_FALSE(preset["properties"]["body"]["anyOf"][1]["additionalProperties"].contains("required"));
}

}  // namespace
}  // namespace coracle
