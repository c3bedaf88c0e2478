// The program compares two runs.
#include "../out/temporary_directory.h"
#include "program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

const std::string falling = R"(title = "a cube falls"
[domain]
resolution = 8
[time]
fps = 50
frames = 3
[[body]]
name = "cube"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[[probe]]
name = "tip"
type = "displacement"
body = "cube"
point = [0.5, 0.45, 0.5]
[output]
paraview = false
checkpoint_every = 1000000
)";

class CompareCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
    write_atomically(dir / "scene.toml", falling);
  }
  std::string run(const std::string& name, const std::string& more = "") const {
    const Said said = coracle("run " + dir / "scene.toml" + " -q --threads 1 -o " + dir / name + " " + more);
    EXPECT_EQ(said.code, 0) << said.text;
    return dir / name;
  }
  Said compare(const std::string& more) const { return coracle("compare " + dir / "a" + " " + dir / "b" + " " + more); }
  nlohmann::json json(const std::string& more = "") const {
    return nlohmann::json::parse(compare("--json " + more).text);
  }
  TemporaryDirectory dir;
};

TEST_F(CompareCommand, two_runs_of_one_scene_have_no_difference) {
  run("a"), run("b");
  const Said said = compare("--strict 0");
  EXPECT_EQ(said.code, 0) << said.text;
  EXPECT_TRUE(said.has("no difference: ")) << said.text;
  EXPECT_TRUE(said.has("4 files of 4 frames are the same to the bit")) << said.text;
  EXPECT_TRUE(json()["same_results"]);
}

TEST_F(CompareCommand, an_option_that_changes_the_result_is_named_with_what_it_did) {
  run("a"), run("b", "--set gravity=[0,-19.62,0]");
  const Said said = compare("");
  EXPECT_EQ(said.code, 0) << said.text;
  for (const char* words :
       {"gravity", "[0.0,-19.62,0.0]", "the first that differs is 1", "last bodies.cube.kinetic_energy",
        "Probes: displacement: tip_y", "surfaces of frame 3", "body_cube"})
    EXPECT_TRUE(said.has(words)) << words << "\n" << said.text;
  const nlohmann::json found = json();
  ASSERT_EQ(found["options"].size(), 1u);
  EXPECT_EQ(found["options"][0]["path"], "gravity");
  const nlohmann::json& cube = found["surfaces"][0];
  EXPECT_EQ(cube["file"], "body_cube");
  const double largest = cube["largest"];
  EXPECT_NEAR(cube["cells"]["largest"].get<double>(), largest / 0.125, 1e-12);
  double lower = 0;
  for (const nlohmann::json& figure : found["figures"]) {
    if (figure["figure"] == "last bodies.cube.center.y") lower = -figure["difference"].get<double>();
  }
  EXPECT_GT(lower, 0.01) << "9.81 · 0.06² / 2 and more";
  EXPECT_NEAR(largest, lower, 1e-6) << "it falls as one: its lower face is as much lower as its center";
}

TEST_F(CompareCommand, strict_tells_by_the_exit_code_whether_the_tolerance_is_kept) {
  run("a"), run("b", "--set body.cube.density=1000.0000001");
  EXPECT_EQ(compare("").code, 0) << "without --strict differences are no failure";
  const Said strict = compare("--strict 0");
  EXPECT_EQ(strict.code, 1) << strict.text;
  EXPECT_TRUE(strict.has("above 0")) << strict.text;
  const Said loose = compare("--strict 1e-6 --figure 'last bodies.cube.center.y'");
  EXPECT_EQ(loose.code, 0) << loose.text;
  for (const std::string bad : {"-1", "nan", "inf", "x"}) {
    const Said said = compare("--strict " + bad);
    EXPECT_EQ(said.code, 2) << bad;
    EXPECT_TRUE(said.has("--strict: " + bad + " is not a number of at least 0")) << said.text;
  }
}

TEST_F(CompareCommand, figures_and_frames_can_be_chosen) {
  run("a"), run("b", "--set gravity=[0,-5,0]");
  const nlohmann::json found = json("--figure 'max bodies.cube.center.y' --frame 1:2");
  ASSERT_EQ(found["figures"].size(), 1u);
  EXPECT_EQ(found["figures"][0]["figure"], "max bodies.cube.center.y");
  ASSERT_EQ(found["surfaces"].size(), 2u);
  EXPECT_EQ(found["surfaces"][1]["frame_a"], 2);
  EXPECT_GT(found["surfaces"][1]["largest"], found["surfaces"][0]["largest"]) << "they part";
}

TEST_F(CompareCommand, runs_of_other_scenes_and_lengths_are_compared_by_what_they_share) {
  run("a");
  std::string other = falling;
  other.replace(other.find("a cube falls"), 12, "a brick falls");
  other +=
      "[[body]]\nname = 'brick'\nshape = 'box'\ncenter = [0.15, 0.8, 0.15]\nsize = [0.1, 0.1, 0.1]\nmesh = 'grid6'\n";
  write_atomically(dir / "scene.toml", other);
  run("b", "--frames 2");
  const Said said = compare("");
  EXPECT_EQ(said.code, 0) << said.text;
  for (const char* words : {"different scenes", "a brick falls", "body.brick", "figures of the first 0.04 s",
                            "surfaces of frame 2", "only B has triangles or a file: body_brick"})
    EXPECT_TRUE(said.has(words)) << words << "\n" << said.text;
  const Said strict = compare("--strict 1000");
  EXPECT_EQ(strict.code, 1) << "what only one has is above every tolerance\n" << strict.text;
  EXPECT_TRUE(strict.has("the runs are at 0.06 s and 0.04 s")) << strict.text;
}

TEST_F(CompareCommand, both_histories_are_drawn) {
  run("a"), run("b", "--set gravity=[0,-5,0]");
  const Said said = compare("-o " + dir / "both.svg");
  EXPECT_EQ(said.code, 0) << said.text;
  EXPECT_NE(read_file(dir / "both.svg").find("Energy (dashed: B)"), std::string::npos);
  EXPECT_EQ(compare("-o " + dir / "both.png").code, 0);
  EXPECT_TRUE(std::filesystem::exists(dir / "both.png"));
}

TEST_F(CompareCommand, bad_input_is_named) {
  run("a"), run("b");
  const auto refused = [&](const Said& said, const std::string& message) {
    EXPECT_EQ(said.code, 2) << said.text;
    EXPECT_TRUE(said.has(message)) << message << "\n" << said.text;
  };
  refused(coracle("compare " + dir / "a" + " " + dir / "none"), "holds no run");
  refused(coracle("compare " + dir / "a"), "run_b is required");
  refused(compare("--frame 9"), "--frame 9: is not there; there are frames 0 to 3");
  refused(compare("--figure 'max bodies.cub.volume'"), "did you mean 'cube'?");
  refused(compare("--figure 'last bodies.cube.center.y from 7' --strict 0"),
          "there is no step in that time with this number: both runs have reached 0.06 s");
  refused(compare("-o both.pdf"), "give a name that ends in .svg or .png");
}

}  // namespace
}  // namespace coracle
