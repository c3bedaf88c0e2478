// coracle export, from a scene to a stage, through the program itself.
#include "../out/temporary_directory.h"
#include "../scenes/program.h"
#include "coracle/out/replay.h"
#include "usda_reader.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string scene_text = R"([domain]
resolution = 8
[time]
frames = 2
fps = 50
[[liquid.region]]
shape = "box"
center = [0.25, 0.25, 0.5]
size = [0.5, 0.5, 1.0]
[[body]]
name = "cube"
shape = "box"
center = [0.75, 0.7, 0.5]
size = [0.25, 0.25, 0.25]
mesh = "grid6"
[[solid]]
name = "lift"
shape = "box"
center = [0.8, 0.2, 0.5]
size = [0.2, 0.2, 0.2]
[[solid.motion]]
type = "velocity"
velocity = [0.0, 0.5, 0.0]
)";

class ExportCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
    write_atomically(dir / "scene.toml", scene_text);
    const Said run = coracle("run " + dir / "scene.toml" + " -q -o " + dir / "run");
    ASSERT_EQ(run.code, 0) << run.text;
  }
  TemporaryDirectory dir;
};

TEST_F(ExportCommand, a_run_of_two_frames_becomes_a_stage) {
  const auto before = files_in(dir / "run/frames");
  const Said said = coracle("export " + dir / "run" + " --to usd");
  EXPECT_EQ(said.code, 0) << said.text;
  EXPECT_EQ(said.text, "3 frames: " + dir / "run/export/usd/run.usda" + "\n");
  EXPECT_EQ(files_in(dir / "run/frames"), before);
  const auto layer = [&](const std::string& name) {
    return UsdaReader::read(read_file(dir / "run/export/usd/run_layers/" + name + ".usda")).prims.at("/run/" + name);
  };
  EXPECT_EQ(UsdaReader::read(read_file(dir / "run/export/usd/run.usda")).metadata.at("endTimeCode"), "2");
  const Replay replay = open_replay(dir / "run");
  const UsdaPrim water = layer("water"), cube = layer("cube"), lift = layer("lift");
  for (int f = 0; f <= 2; ++f) {
    const ReplayFrame frame = read_frame(replay, f);
    const auto same = [&](const UsdaPrim& prim, const PlyMesh& mesh) {
      const std::vector<float> x = usda_numbers(prim.attributes.at("points").samples.at(f));
      ASSERT_EQ(x.size(), 3 * mesh.x.size());
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], mesh.x[i / 3][int(i % 3)]);
    };
    same(water, frame.liquid);
    same(cube, frame.bodies[0]);
    same(lift, frame.solids[0]);
    EXPECT_EQ(usda_numbers(water.attributes.at("faceVertexIndices").samples.at(f)).size(),
              3 * frame.liquid.tris.size());
  }
  // 0.5 m/s upwards for 2/50 s.
  EXPECT_NEAR(usda_numbers(lift.attributes.at("extent").samples.at(2))[1], 0.1 + 0.02, 1e-6);

  for (const char* format : {"ply", "obj", "vdb", "vtu"}) {
    const Said other = coracle("export " + dir / "run" + " --to " + format + " --frame 1");
    EXPECT_EQ(other.code, 0) << other.text;
    EXPECT_EQ(other.text, std::string("1 frame: ") + dir / "run/export/" + format + "\n");
    EXPECT_FALSE(files_in(dir / "run/export/" + format).empty());
  }
  EXPECT_EQ(coracle("run " + dir / "scene.toml" + " -q --overwrite -o " + dir / "run").code, 0)
      << "an export does not keep a run from being run again";
}

TEST_F(ExportCommand, what_the_user_can_mend_exits_with_2) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Said said = coracle("export " + arguments);
    EXPECT_EQ(said.code, 2) << said.text;
    EXPECT_NE(said.text.find(words), std::string::npos) << said.text;
  };
  const std::string run = dir / "run";
  refused(run + " --to fbx", "usd, ply, obj, vdb, vtu");
  refused(run, "--to is required");
  refused(run + " --to usd --frame 1:7", "the run holds frames 0 to 2");
  for (const char* range : {"x", "1:", ":2", "1-2", "'1: 2'"})
    refused(run + " --to usd --frame " + range, "must be FIRST:LAST");
  refused(run + " --to ply -o " + run + "/frames", "among the run's own frames");
  refused(dir / "nothing" + " --to usd", "holds no run");
  refused(run + " --to ply -o " + dir / std::string(300, 'a'), "File name too long");
  EXPECT_FALSE(std::filesystem::exists(run + "/export"));
}

}  // namespace
}  // namespace coracle
