// docs/scenes.md says what the program knows.
#include "coracle/scene/reference.h"
#include "../shape/characters.h"
#include "../shape/mesh_files.h"
#include "coracle/base/files.h"
#include "coracle/scene.h"
#include "coracle/scene/expect.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// The blocks of TOML in a page.
std::vector<std::string> examples_in(const std::string& page) {
  const std::string begin = "```toml\n", end = "```";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    blocks.push_back(page.substr(at, page.find(end, at) - at));
  }
  return blocks;
}

TEST(Reference, the_page_is_what_the_program_writes) {
  const std::string page = (std::filesystem::path(__FILE__).parent_path() / "../../docs/scenes.md").string();
  EXPECT_TRUE(read_file(page) == scene_reference())
      << "write it again: build/coracle reference > docs/scenes.md, and look at what changed";
}

TEST(Reference, every_section_has_an_example) {
  const std::string page = scene_reference();
  for (std::size_t at = page.find("\n## `["); at != std::string::npos; at = page.find("\n## `[", at + 1)) {
    const std::string section = page.substr(at, page.find("\n## ", at + 1) - at);
    EXPECT_NE(section.find("```toml\n"), std::string::npos) << section.substr(0, 60);
  }
}

TEST(Reference, every_example_is_a_valid_scene) {
  const TestFolder folder;
  folder.write("cup.obj", as_obj(box_mesh({0, 0, 0}, {0.4, 0.4, 0.4})));
  folder.write("tank.toml",
               "[[solid]]\nname = 'post'\nshape = 'cylinder'\ncenter = [0.5, 0.2, 0.5]\nradius = 0.1\nheight = 0.4\n");
  folder.write("look.toml", "");
  Character waving = arm();
  waving.clip.name = "wave";
  folder.write("arm.glb", as_glb(waving));
  const std::string water = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.4, 0.3, 1]\n";
  const std::vector<std::string> examples = examples_in(scene_reference());
  EXPECT_GT(examples.size(), 20u);
  for (const std::string& example : examples) {
    if (example.starts_with("[[expect]]")) {
      const ExpectContext context{"quick", {"quick"}, [](const std::string&) { return ""; }};
      EXPECT_EQ(parse_expectations(example, "expect.toml", context).size(), 1u);
      continue;
    }
    const bool has_fluid = example.find("[[jet]]") != std::string::npos || example.find("[gas]") != std::string::npos ||
                           example.find("[[gas.region]]") != std::string::npos;
    try {
      parse_scene(example + (has_fluid ? "" : water), (folder.path / "scene.toml").string());
    } catch (const SceneError& error) {
      ADD_FAILURE() << error.what() << "\nin\n" << example;
    }
  }
}

TEST(Reference, says_the_type_range_default_and_kinds_of_an_option) {
  const std::string page = scene_reference();
  for (const char* row :
       {"| `density` | number in kg/m³, above 0, at most 1e+06 | `1000` | of the liquid |",
        "| `radius` | `sphere`, `cylinder`, `torus`, `hollow_sphere` | number in m, above 0 | required |",
        "| `open` | list of: `x_min`, `x_max`, `y_min`, `y_max`, `z_min`, `z_max` | none |",
        "| `moves_with` | `pressure`, `height`, `velocity`, `volume` | name: letters, digits, _ and - | none |",
        "| `name` | all | name: letters, digits, _ and - | required | title of its column |",
        "| `pivot` | `rotation`, `keyframes` | 3 numbers in m | `[0, 0, 0]`, required for `rotation` |"})
    EXPECT_NE(page.find(row), std::string::npos) << row;
}

}  // namespace
}  // namespace coracle
