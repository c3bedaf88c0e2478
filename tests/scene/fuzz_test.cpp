// Whatever is done to a file, reading it ends in a scene or in a SceneError.
#include "../shape/mesh_files.h"
#include "coracle/base/random.h"
#include "coracle/scene.h"
#include "coracle/scene/expect.h"
#include "coracle/scene/scenes.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coracle {
namespace {

// A stream of numbers from a key.
struct Dice {
  std::uint64_t key, used = 0;
  std::size_t below(std::size_t n) { return n == 0 ? 0 : mix(mix(key) ^ used++) % n; }
};

std::string token_at(const std::string& text, std::size_t at, std::size_t& begin) {
  constexpr auto separators = " \n\t,=[]{}";
  begin = text.find_last_of(separators, at);
  begin = begin == std::string::npos ? 0 : begin + 1;
  const std::size_t end = text.find_first_of(separators, begin);
  return text.substr(begin, end == std::string::npos ? std::string::npos : end - begin);
}

std::string mutated(std::string text, Dice& dice) {
  static const std::vector<std::string> nasty = {"nan",
                                                 "-inf",
                                                 "1e308",
                                                 "-1e308",
                                                 "99999999999999999999",
                                                 "0",
                                                 "-1",
                                                 "''",
                                                 "[]",
                                                 "{}",
                                                 "\"",
                                                 "[[",
                                                 "]]",
                                                 "=",
                                                 std::string(1, '\0'),
                                                 "0x7fffffffffffffff",
                                                 "true",
                                                 "1979-05-27",
                                                 "4294967295",
                                                 "2147483648",
                                                 "'=radius*('",
                                                 "'=1/(2 - 2)'",
                                                 "-2147483649",
                                                 "1e-320"};
  for (std::size_t changes = 1 + dice.below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = dice.below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + dice.below(40));
    switch (dice.below(7)) {
      case 0:
        text[at] = char(text[at] ^ (1 << dice.below(8)));
        break;
      case 1:
        text[at] = char(dice.below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(dice.below(text.size()), text.substr(at, length));
        break;
      case 4:
        text.resize(at);
        break;
      default: {
        std::size_t begin, other_begin;
        const std::string token = token_at(text, at, begin);
        const std::string other = token_at(text, dice.below(text.size()), other_begin);
        text.replace(begin, token.size(), dice.below(2) ? nasty[dice.below(nasty.size())] : other);
      }
    }
  }
  return text;
}

// True where a scene came out, false for a SceneError; anything else fails the test.
bool survives(const std::string& text, const std::string& name, const std::vector<Override>& overrides = {},
              const std::string& preset = "") {
  try {
    parse_scene(text, name, overrides, preset);
    return true;
  } catch (const SceneError& error) {
    EXPECT_FALSE(error.problems.empty());
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a SceneError: " << error.what() << "\n" << text;
  }
  return false;
}

TEST(Fuzz, mutated_includes_and_formulas_are_read_or_refused) {
  const TestFolder folder;
  const std::string part =
      "[variables]\na = 0.1\nb = '=a*(2 + sqrt(a))'\n[[solid]]\nname = 's'\nshape = 'sphere'\n"
      "center = [0.5, '=b', 0.5]\nradius = '=max(a, b)/2'\n";
  const std::string whole =
      "include = ['part.toml', 'other.toml']\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\n"
      "max = [1, '=2*a', 1]\n[solid.s]\nradius = '=a'\n[preset.p]\nvariables.a = 0.2\n";
  folder.write("other.toml", "include = ['part.toml']\n");
  const std::string name = (folder.path / "fuzz.toml").string();
  folder.write("part.toml", part);
  EXPECT_TRUE(survives(whole, name));
  int read = 0, refused = 0;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    Dice dice{i};
    folder.write("part.toml", i % 2 ? mutated(part, dice) : part);
    ++(survives(i % 2 ? whole : mutated(whole, dice), name) ? read : refused);
  }
  EXPECT_GT(read, 5) << "a short text: most mutations hurt";
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, mutated_scenes_are_read_or_refused) {
  int read = 0, refused = 0;
  for (const SceneInfo& info : shipped_scenes()) {
    const std::string text = to_toml(load_scene(info.path));
    for (std::uint64_t i = 0; i < 800; ++i) {
      Dice dice{i};
      ++(survives(mutated(text, dice), "fuzz.toml") ? read : refused);
    }
  }
  EXPECT_GT(read, 20) << "mutations so gentle that some pass";
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, mutated_overrides_are_read_or_refused) {
  const std::string text = to_toml(load_scene(find_scene("stirred_tank")));
  for (std::uint64_t i = 0; i < 500; ++i) {
    Dice dice{i};
    survives(text, "fuzz.toml",
             {{mutated("solid.paddle.motion.0.pivot", dice), mutated("[0.1, 0.2, 'a']", dice)},
              {mutated("liquid.region.0.point", dice), mutated("[0, 0.5, 0]", dice)}});
  }
}

TEST(Fuzz, mutated_presets_are_read_or_refused) {
  const std::string presets =
      "[preset.quick]\nsolid.1.motion.0.pivot = [0.1, 0.2, 0.3]\nsolid.paddle.center = [0.1, 0.2, 0.0]\n"
      "liquid.region.0.point.1 = 0.4\ntime = {frames = 2}\n[[preset.paper.probe]]\nname = 'p'\ntype = 'pressure'\n"
      "point = [0.1, 0.1, 0.1]\n[preset.paper.domain]\nresolution = 100\n";
  std::string text = to_toml(load_scene(find_scene("stirred_tank")));
  EXPECT_TRUE(survives(text + presets, "fuzz.toml", {}, "quick"));
  int read = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Dice dice{i};
    const std::string changed = i % 8 == 0 ? presets : mutated(presets, dice);
    read += survives(text + changed, "fuzz.toml", {}, i % 4 == 0 ? mutated("paper", dice) : "quick");
  }
  EXPECT_GT(read, 20);
}

// As survives(), for an expect.toml.
bool judgeable(const std::string& text) {
  const auto wrong_path = [](const std::string& of) { return std::string(of.empty() ? "empty" : ""); };
  try {
    const auto read = parse_expectations(text, "expect.toml", {"quick", {"quick", "paper"}, wrong_path});
    EXPECT_EQ(parse_expectations(to_toml(read), "again.toml", {"", {}, wrong_path}).size(), read.size());
    return true;
  } catch (const SceneError& error) {
    EXPECT_FALSE(error.problems.empty());
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a SceneError: " << error.what() << "\n" << text;
  }
  return false;
}

TEST(Fuzz, mutated_expectations_are_read_or_refused) {
  const std::string text =
      "[[expect]]\nclaim = 'it \\ bends'\nof = 'bodies.beam.center.x / liquid.volume'\ntake = 'max'\nfrom = 0.2\n"
      "to = 3\nat_least = 0.63\nat_most = 1e9\npresets = ['quick', 'paper']\nreason = 'so it says'\n[[expect]]\n"
      "claim = 'often'\nof = 'retries'\ntake = 'count_above'\nabove = 2\nat_most = 3\nreason = 'just so'\n";
  EXPECT_TRUE(judgeable(text));
  int read = 0, refused = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Dice dice{i};
    ++(judgeable(mutated(text, dice)) ? read : refused);
  }
  EXPECT_GT(read, 20);
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, mutated_meshes_are_read_or_refused) {
  const TestFolder folder;
  const TriMesh mesh = sphere_mesh({0.5, 0.5, 0.5}, 0.3, 0.3);
  std::string buffer;
  const std::string gltf = as_gltf(mesh, "mesh.bin", buffer);
  folder.write("mesh.bin", buffer);
  struct Case {
    std::string name, bytes;
    std::uint64_t mutations;  // few for PLY: its reader loops on some, until its second is over
  };
  for (const auto& [name, bytes, mutations] :
       {Case{"mesh.obj", as_obj(mesh), 300}, Case{"mesh.ply", as_ply(mesh), 40},
        Case{"mesh.stl", as_binary_stl(mesh), 400}, Case{"mesh.gltf", gltf, 400}}) {
    const std::string scene = "[[liquid.region]]\nshape = 'mesh'\nfile = '" + name + "'\n";
    folder.write(name, bytes);
    EXPECT_TRUE(survives(scene, folder.path / "scene.toml")) << name;
    int refused = 0;
    for (std::uint64_t i = 0; i < mutations; ++i) {
      Dice dice{i};
      folder.write(name, mutated(bytes, dice));
      refused += !survives(scene, folder.path / "scene.toml");
    }
    EXPECT_GT(refused, 10) << name;
  }
}

}  // namespace
}  // namespace coracle
