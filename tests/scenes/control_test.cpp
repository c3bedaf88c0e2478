// The program with --control: how it is paused and stopped from outside, and what it leaves.
#include "../out/temporary_directory.h"
#include "program.h"

#include "coracle/base/files.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

class ControlledProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
    // More frames than anybody waits for.
    write_atomically(dir / "scene.toml", R"([domain]
resolution = 8
[time]
frames = 1000000
fps = 50
[[body]]
name = "cube"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[output]
solids = false
checkpoint_every = 1000000
)");
  }
  // Starts the program, waits for its first step, runs `commands` with its number in $p and its folder in $d, and waits
  // for its end.
  Said run_and(const std::string& command, const std::string& commands) const {
    std::filesystem::remove(run_dir + "/stats.jsonl");
    return shell("(d=" + run_dir +
                 "; until_test() { for i in $(seq 400); do test $1 $2 && break; sleep 0.05; done; }; " + command +
                 " & p=$!; until_test -s $d/stats.jsonl; " + commands + "; wait $p; echo code $?) 2>&1");
  }
  std::string start(const std::string& more) const {
    return "'" + program() + "' run " + dir / "scene.toml" + " -o " + run_dir + " " + more;
  }
  static std::string ask(const std::string& word) {
    return "echo " + word + " >$d/control/new; mv $d/control/new $d/control/request";
  }
  TemporaryDirectory dir;
  std::string run_dir = dir / "run";
};

TEST_F(ControlledProgram, a_stop_has_the_exit_code_of_an_interrupted_run_and_it_resumes) {
  const Said said = run_and(start("--control"), ask("stop"));
  EXPECT_TRUE(said.has("code 3")) << said.text;
  EXPECT_TRUE(said.has("view " + run_dir + " --control")) << said.text;
  EXPECT_TRUE(said.has("to continue: ")) << said.text;
  EXPECT_TRUE(said.has(" --resume --control\n")) << said.text;
  EXPECT_EQ(files_in(run_dir + "/checkpoints").size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(run_dir + "/control"));
  const Said again = run_and(start("--resume"), "kill -INT $p");
  EXPECT_TRUE(again.has("resuming after frame")) << again.text;
  EXPECT_TRUE(again.has("code 3")) << again.text;
}

TEST_F(ControlledProgram, a_paused_run_answers_ctrl_c_and_says_that_it_is_paused) {
  const Said said =
      run_and(start("--control"), ask("pause") + "; until_test -e $d/control/paused; sleep 0.3; kill -INT $p");
  EXPECT_TRUE(said.has(", paused for ")) << said.text;
  EXPECT_TRUE(said.has("stopping after this step, with a checkpoint")) << said.text;
  EXPECT_TRUE(said.has("code 3")) << said.text;
  const std::string log = read_file(run_dir + "/run.log");
  EXPECT_NE(log.find("paused after frame"), std::string::npos) << log;
  EXPECT_NE(log.find("stopped after frame"), std::string::npos) << log;
}

TEST_F(ControlledProgram, what_a_killed_run_leaves_does_not_touch_the_next_one) {
  const Said killed = run_and(start("--control -q"), "kill -KILL $p");
  EXPECT_TRUE(killed.has("code 137")) << killed.text;
  const std::string stale = read_file(run_dir + "/control/token");
  write_atomically(run_dir + "/control/request", "stop\n");
  EXPECT_EQ(coracle("view " + run_dir + " --control").code, 2) << "nobody is there to obey";
  // The next one is not stopped by the old request: a signal stops it, after steps.
  const Said with = run_and(start("--resume --control"),
                            "cat $d/control/token; sleep 0.3; test -s $d/stats.jsonl && echo it steps; kill -INT $p");
  EXPECT_TRUE(with.has("it steps")) << with.text;
  EXPECT_TRUE(with.has("code 3")) << with.text;
  EXPECT_FALSE(with.has(stale)) << "another token";
  std::filesystem::create_directory(run_dir + "/control");
  std::filesystem::permissions(run_dir + "/control", std::filesystem::perms::owner_all);
  write_atomically(run_dir + "/control/request", "stop\n");
  const Said without = run_and(start("--resume"), "test -e $d/control || echo it is gone; kill -INT $p");
  EXPECT_TRUE(without.has("it is gone")) << without.text;
}

// A pause may be long, and end with a kill or a power cut.
TEST_F(ControlledProgram, a_paused_run_that_is_killed_goes_on_from_the_step_of_the_pause) {
  const Said killed = run_and(start("--control -q"), ask("pause") +
                                                         "; for i in $(seq 400); do grep -q 'paused after' $d/run.log "
                                                         "&& break; sleep 0.05; done; kill -KILL $p");
  EXPECT_TRUE(killed.has("code 137")) << killed.text;
  const std::string log = read_file(run_dir + "/run.log");
  const std::size_t at = log.find("paused after ");
  ASSERT_NE(at, std::string::npos) << log;
  const std::string place = log.substr(at + 7, log.find('\n', at) - at - 7);  // "after frame ..., step ..."
  EXPECT_EQ(place.find("step 0"), std::string::npos) << "it paused after steps";
  const Said again = run_and(start("--resume"), "kill -INT $p");
  EXPECT_TRUE(again.has("resuming " + place + "\n")) << place << "\n" << again.text;
}

TEST_F(ControlledProgram, the_token_is_told_by_view_alone_and_only_where_asked) {
  const std::string view = "timeout -s INT 2 '" + program() + "' view $d";
  const Said said = run_and(start("--control"),
                            "echo token $(cat $d/control/token); " + view + " --control; " + view + "; kill -INT $p");
  const std::size_t at = said.text.find("token ");
  ASSERT_NE(at, std::string::npos) << said.text;
  const std::string token = said.text.substr(at + 6, 32);
  EXPECT_TRUE(said.has("/#control=" + token + " shows ")) << said.text;
  EXPECT_TRUE(said.has("/ shows " + run_dir)) << said.text;
  std::size_t count = 0;
  for (std::size_t from = 0; (from = said.text.find(token, from)) != std::string::npos; ++from) ++count;
  EXPECT_EQ(count, 2u) << "by cat, and by view --control: " << said.text;
  EXPECT_EQ(read_file(run_dir + "/run.log").find(token), std::string::npos);
  EXPECT_EQ(coracle("view " + run_dir + " --control").code, 2) << "the run has ended";
}

}  // namespace
}  // namespace coracle
