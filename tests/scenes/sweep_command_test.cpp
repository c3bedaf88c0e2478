// The program sweeps a scene.
#include "../out/temporary_directory.h"
#include "program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

std::string scene_of(long frames) {
  return "[domain]\nresolution = 8\n[time]\nfps = 50\nframes = " + std::to_string(frames) + R"(
[variables]
height = 0.6
[[body]]
name = "cube"
shape = "box"
center = [0.5, "=height", 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[output]
solids = false
checkpoint_every = 1000000
)";
}

class SweepCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
    write_atomically(dir / "scene.toml", scene_of(3));
  }
  std::string words(const std::string& more) const {
    return "sweep " + dir / "scene.toml" + " -o " + dir / "sweep" + " " + more;
  }
  Said sweep(const std::string& more) const { return coracle(words(more)); }
  nlohmann::json table() const { return nlohmann::json::parse(read_file(dir / "sweep/table.json")); }
  TemporaryDirectory dir;
};

TEST_F(SweepCommand, all_combinations_are_run_and_tabled) {
  write_atomically(dir / "expect.toml",
                   "[[expect]]\nclaim = 'it falls'\nof = 'bodies.cube.center.y'\ntake = 'first'\nat_most = 1\n"
                   "reason = 'gravity'\n");
  const Said said = sweep("--jobs 2 --set variables.height=0.5:0.7:3 --set 'gravity=[0,-9.81,0],[0,-20,0]' --frames 2");
  ASSERT_EQ(said.code, 0) << said.text;
  EXPECT_TRUE(said.has("6 runs to do, 0 complete already")) << said.text;
  EXPECT_TRUE(said.has("height=0.6,gravity=0_-20_0: done in ")) << said.text;
  EXPECT_TRUE(said.has("first bodies.cube.center.y")) << "the expectation's figure\n" << said.text;
  const nlohmann::json rows = table();
  ASSERT_EQ(rows.size(), 6u);
  const auto y = [&](int row) { return rows[row]["figures"]["first bodies.cube.center.y"].get<double>(); };
  EXPECT_EQ(rows[5]["set"]["variables.height"], 0.7);
  EXPECT_EQ(rows[5]["set"]["gravity"], "[0,-20,0]");
  EXPECT_EQ(rows[5]["state"], "done");
  EXPECT_NEAR(y(4) - y(0), 0.2, 1e-9) << "the first step does not know where it begins: 0.7 − 0.5, to rounding";
  EXPECT_LT(y(1), y(0)) << "it falls faster under more gravity";
  EXPECT_TRUE(read_file(dir / "sweep/table.csv")
                  .starts_with("variables.height,gravity,first bodies.cube.center.y,steps,wall_s,state,run\n0.5,"));
  EXPECT_NE(read_file(dir / "sweep/sweep.svg").find("gravity=[0,-20,0]"), std::string::npos) << "a line of its own";
  EXPECT_EQ(coracle("info " + dir / "sweep/height=0.5,gravity=0_-20_0").code, 0) << "each is a run like any other";
}

TEST_F(SweepCommand, figures_can_be_chosen_as_expectations_name_them) {
  const Said said =
      sweep("--set variables.height=0.5,0.6 --figure 'max bodies.cube.center.y' --figure bodies.cube.volume -q");
  ASSERT_EQ(said.code, 0) << said.text;
  EXPECT_EQ(said.text, "") << "quiet";
  const nlohmann::json rows = table();
  EXPECT_GT(rows[1]["figures"]["max bodies.cube.center.y"], rows[0]["figures"]["max bodies.cube.center.y"]);
  EXPECT_NEAR(rows[0]["figures"]["last bodies.cube.volume"].get<double>(), 0.027, 1e-9) << "0.3³, in free fall";
}

TEST_F(SweepCommand, what_is_complete_is_skipped_and_values_may_be_added) {
  ASSERT_EQ(sweep("--set variables.height=0.5,0.6").code, 0);
  const std::string log = read_file(dir / "sweep/height=0.5/run.log");
  const Said again = sweep("--set variables.height=0.6,0.7");
  ASSERT_EQ(again.code, 0) << again.text;
  EXPECT_TRUE(again.has("1 runs to do, 1 complete already")) << again.text;
  EXPECT_EQ(read_file(dir / "sweep/height=0.5/run.log"), log);
  EXPECT_EQ(table().size(), 3u) << "the table has all";
  EXPECT_EQ(table()[0]["state"], "done");
}

TEST_F(SweepCommand, bad_input_is_named_before_anything_runs) {
  const auto refused = [&](const std::string& more, const std::string& message) {
    const Said said = sweep(more);
    EXPECT_EQ(said.code, 2) << more << "\n" << said.text;
    EXPECT_TRUE(said.has(message)) << more << "\n" << said.text;
    EXPECT_FALSE(std::filesystem::exists(dir / "sweep")) << more;
  };
  refused("--set variables.height=0.5,high", "--set variables.height=high: ");
  refused("--set body.cube.young=1e4,-1,-2", "--set body.cube.young=-1: 'young'");
  refused("--set body.cube.young=1e4,-1,-2", "2 problems");
  refused("--set body.cube.yung=1e4,1e5", "did you mean 'young'?");
  refused("--set variables.height=1:2", "--set variables.height=1:2: '1:2' must be LOW:HIGH:COUNT");
  refused("--set variables.height=0.6", "give a setting several values");
  refused("", "give a setting several values");
  refused("--set variables.height=0.5,", "a value is missing");
  refused("--set variables.height=0.5,0.6 --figure 'max bodies.cub.volume'", "did you mean 'cube'?");
  refused("--set variables.height=0.5,0.6 --figure 'most bodies.cube.volume'", "is no way to take a number");
  refused("--set variables.height=0.5,0.6 --jobs 0", "--jobs");
}

TEST_F(SweepCommand, a_folder_of_another_sweep_is_refused) {
  ASSERT_EQ(sweep("--set variables.height=0.5,0.6").code, 0);
  const Said other = sweep("--set body.cube.young=1e4,1e5");
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(other.has("holds another sweep")) << other.text;
  EXPECT_EQ(sweep("--set variables.height=0.5,0.6 --set body.cube.young=1e4").code, 2);
  write_atomically(dir / "scene.toml", scene_of(3) + "\n[elastic]\nnewton = true\n");
  const Said changed = sweep("--set variables.height=0.5,0.6");
  EXPECT_EQ(changed.code, 2) << changed.text;
  EXPECT_TRUE(changed.has("newton = false")) << "a changed scene is refused by its first difference\n" << changed.text;
  EXPECT_TRUE(changed.has("delete that folder")) << "a sweep has no --overwrite\n" << changed.text;
  const Said run =
      coracle("sweep " + dir / "scene.toml" + " --set variables.height=0.5,0.6 -o " + dir / "sweep/height=0.5");
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.has("not a sweep's")) << run.text;
}

TEST_F(SweepCommand, one_failed_run_does_not_stop_the_others) {
  // A body that overlaps a solid is found only when the world is built.
  write_atomically(dir / "scene.toml", scene_of(3) +
                                           "[[solid]]\nname = 'floor'\nshape = 'box'\nmin = [0, 0, 0]\n"
                                           "max = [1, 0.2, 1]\n");
  const Said said = sweep("--set variables.height=0.3,0.6");
  EXPECT_EQ(said.code, 1) << said.text;
  EXPECT_TRUE(said.has("height=0.3: failed: ")) << said.text;
  EXPECT_TRUE(said.has("the body 'cube' overlaps the solid 'floor'")) << said.text;
  EXPECT_TRUE(said.has("height=0.6: done")) << said.text;
  EXPECT_EQ(table()[0]["state"], "failed");
  EXPECT_NE(table()[0]["reason"].get<std::string>().find("overlaps"), std::string::npos);
  EXPECT_EQ(table()[1]["state"], "done");
}

// Runs with more frames than anybody waits for; then the scene is made shorter.
class StoppedSweep : public SweepCommand {
 protected:
  void SetUp() override {
    SweepCommand::SetUp();
    write_atomically(dir / "scene.toml", scene_of(1'000'000));
  }
  std::string folder(const std::string& height) const { return dir / "sweep/height=" + height; }
  std::string log(const std::string& height) const { return read_file(folder(height) + "/run.log"); }
  // Starts two of three runs, waits for their first steps, and runs `commands` with the number of the sweep in $p.
  Said run_and(const std::string& commands) const {
    const std::string wait = " for i in $(seq 400); do test -s " + folder("0.5") + "/stats.jsonl && test -s " +
                             folder("0.6") + "/stats.jsonl && break; sleep 0.05; done; ";
    return shell("('" + program() + "' " + words(set) + " & p=$!;" + wait + commands + "; wait $p; echo code $?) 2>&1");
  }
  void expect_that_it_resumes() const {
    long steps = 0;
    for (const char* height : {"0.5", "0.6"}) {
      const std::string stats = read_file(folder(height) + "/stats.jsonl");
      steps = std::max(steps, long(std::count(stats.begin(), stats.end(), '\n')));
    }
    write_atomically(dir / "scene.toml", scene_of(steps + 5));
    const Said said = sweep(set);
    EXPECT_EQ(said.code, 0) << said.text;
    EXPECT_NE(log("0.5").find("resuming after frame"), std::string::npos) << log("0.5");
    EXPECT_NE(log("0.6").find("resuming after frame"), std::string::npos) << log("0.6");
    EXPECT_EQ(log("0.7").find("resuming"), std::string::npos) << "it had not begun";
    ASSERT_EQ(table().size(), 3u);
    for (const auto& row : table()) {
      EXPECT_EQ(row["state"], "done");
      EXPECT_GE(row["steps"], steps + 5);
    }
  }
  const std::string set = "--jobs 2 --threads 1 --set variables.height=0.5,0.6,0.7";
};

TEST_F(StoppedSweep, a_signal_stops_all_runs_with_checkpoints_and_the_same_command_resumes_them) {
  const Said said = run_and("kill -INT $p");
  EXPECT_TRUE(said.has("code 3")) << said.text;
  EXPECT_TRUE(said.has("to continue, give the same command again")) << said.text;
  EXPECT_TRUE(said.has("height=0.5: interrupted")) << said.text;
  for (const char* height : {"0.5", "0.6"})
    EXPECT_NE(log(height).find("stopped after frame"), std::string::npos) << log(height);
  EXPECT_FALSE(std::filesystem::exists(folder("0.7"))) << "none is started after the signal";
  EXPECT_EQ(table()[0]["state"], "interrupted");
  EXPECT_EQ(table()[2]["state"], "not run");
  expect_that_it_resumes();
}

TEST_F(StoppedSweep, a_killed_sweep_leaves_no_run_behind_and_resumes) {
  const Said said = run_and("kill -KILL $p; for i in $(seq 400); do grep -q stopped " + folder("0.5") +
                            "/run.log && grep -q stopped " + folder("0.6") + "/run.log && break; sleep 0.05; done");
  EXPECT_TRUE(said.has("code 137")) << said.text;
  for (const char* height : {"0.5", "0.6"})
    EXPECT_NE(log(height).find("stopped after frame"), std::string::npos) << log(height);
  expect_that_it_resumes();
}

TEST_F(StoppedSweep, two_sweeps_do_not_share_a_folder) {
  const Said said = run_and("'" + program() + "' " + words(set) + "; kill -INT $p");
  EXPECT_TRUE(said.has("another sweep is writing to")) << said.text;
  EXPECT_TRUE(said.has("code 3")) << said.text;
}

}  // namespace
}  // namespace coracle
