// Scene files that include others.
#include "coracle/scene/include.h"
#include "../shape/mesh_files.h"
#include "coracle/scene.h"
#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using Words = std::vector<std::string>;

const std::string water = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.4, 0.5, 1]\n";
const std::string ball = "[[solid]]\nname = 'ball'\nshape = 'sphere'\ncenter = [0.7, 0.2, 0.5]\nradius = 0.1\n";

class Include : public testing::Test {
 protected:
  Include() { std::filesystem::create_directory(folder.path / "parts"); }
  std::string path(const std::string& name) const { return (folder.path / name).string(); }
  Words problems_of(const std::string& file) const {
    try {
      load_scene(file);
    } catch (const SceneError& error) {
      Words all;
      for (const Problem& p : error.problems) all.push_back(p.text());
      return all;
    }
    return {};
  }
  TestFolder folder;
};

TEST_F(Include, a_file_stands_over_what_it_includes) {
  folder.write("parts/tank.toml",
               "title = 'a tank'\n[domain]\nresolution = 20\nmax = [1, 2, 1]\n[variables]\nr = 0.1\n" + water);
  folder.write("parts/ball.toml", ball + "[preset.quick]\ntime.frames = 3\n");
  const std::string file =
      folder.write("scene.toml",
                   "include = ['parts/tank.toml', 'parts/ball.toml']\ntitle = 'mine'\n[domain]\nresolution = 30\n"
                   "[variables]\nr = 0.2\n[[solid]]\nname = 'post'\nshape = 'cylinder'\ncenter = [0.2, 0.8, 0.5]\n"
                   "radius = '=r'\nheight = 0.2\n");
  const Scene scene = load_scene(file, {}, "quick");
  EXPECT_EQ(scene.title, "mine");
  EXPECT_EQ(scene.domain.resolution, 30);
  EXPECT_EQ(scene.domain.max, Vec3(1, 2, 1));
  ASSERT_EQ(scene.solids.size(), 2u) << "lists are joined, the included first";
  EXPECT_EQ(scene.solids[0].name, "ball");
  EXPECT_EQ(scene.solids[1].shape.radius, 0.2);
  EXPECT_EQ(scene.time.frames, 3);
  EXPECT_EQ(scene_presets(file), (Words{"preview", "quick"}));
}

TEST_F(Include, an_included_entry_is_changed_by_its_name) {
  folder.write("ball.toml", ball + water);
  const std::string file = folder.write("scene.toml", "include = ['ball.toml']\n[solid.ball]\nradius = 0.15\n");
  const Scene scene = load_scene(file);
  ASSERT_EQ(scene.solids.size(), 1u);
  EXPECT_EQ(scene.solids[0].shape.radius, 0.15);
}

TEST_F(Include, files_are_found_from_the_file_that_names_them) {
  folder.write("parts/box.obj", as_obj(box_mesh({0.5, 0.1, 0.1}, {0.8, 0.4, 0.4})));
  folder.write("parts/more.toml", "[[solid]]\nname = 'box'\nshape = 'mesh'\nfile = 'box.obj'\n");
  folder.write("parts/solids.toml", "include = ['more.toml']\n");
  const std::string file = folder.write("scene.toml", "include = ['parts/solids.toml']\n" + water);
  EXPECT_EQ(load_scene(file).solids.at(0).shape.file, path("parts/box.obj"));
}

TEST_F(Include, a_file_that_two_others_include_counts_once) {
  folder.write("ball.toml", ball);
  folder.write("a.toml", "include = ['ball.toml']\n");
  folder.write("b.toml", "include = ['./parts/../ball.toml']\n");
  EXPECT_EQ(load_scene(folder.write("scene.toml", "include = ['a.toml', 'b.toml']\n" + water)).solids.size(), 1u);
}

TEST_F(Include, mistakes_are_shown_in_the_included_file) {
  folder.write("ball.toml",
               "# a ball\n[[solid]]\nname = 'ball'\nshape = 'sphere'\ncenter = [0.7, 0.2, 0.5]\nradius = -1\n");
  const std::string file = folder.write("scene.toml", "include = ['ball.toml']\n[domain]\nresolutoin = 3\n" + water);
  EXPECT_EQ(problems_of(file),
            (Words{path("ball.toml") + ":6:1: 'radius' must be above 0 m, not -1",
                   file + ":3:1: unknown key 'resolutoin' in [domain]; did you mean 'resolution'?"}));
  folder.write("ball.toml", "[[solid\n");
  EXPECT_TRUE(problems_of(file).at(0).starts_with(path("ball.toml") + ":1:"));
}

TEST_F(Include, what_cannot_be_included_is_refused_where_it_is_asked_for) {
  const std::string file = folder.write("scene.toml", "\ninclude = ['none.toml']\n" + water);
  EXPECT_EQ(problems_of(file), Words{file + ":2:12: cannot include '" + path("none.toml") + "': no such file"});
  folder.write("scene.toml", "include = 'a.toml'\n" + water);
  EXPECT_EQ(problems_of(file),
            Words{file + ":1:1: 'include' must be an array of file names, such as [\"tank.toml\"], not a string"});
  folder.write("a.toml", "include = ['b.toml']\n");
  folder.write("b.toml", "include = ['a.toml']\n");
  folder.write("scene.toml", "include = ['a.toml']\n" + water);
  EXPECT_EQ(problems_of(file),
            Words{path("b.toml") + ":1:12: the files include each other in a circle: " + path("a.toml") + ", " +
                  path("b.toml") + ", " + path("a.toml") + "; take one include out"});
  folder.write("scene.toml", "[preset.quick]\ninclude = ['a.toml']\n" + water);
  EXPECT_EQ(problems_of(file).size(), 1u);
  EXPECT_NE(problems_of(file).at(0).find(":2:1: a preset cannot include files"), std::string::npos);
}

}  // namespace
}  // namespace coracle
