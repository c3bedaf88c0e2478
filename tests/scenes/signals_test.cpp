// The program and the signals that stop it.
#include "../out/temporary_directory.h"
#include "program.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

class Signals : public testing::Test {
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
  // Starts the program, waits for its first step, runs `commands` with its number in $p, and waits for its end.
  Said run_and(const std::string& command, const std::string& commands) const {
    std::filesystem::remove(dir / "run/stats.jsonl");
    return shell("(" + command + " & p=$!; for i in $(seq 200); do test -s " + dir / "run/stats.jsonl" +
                 " && break; sleep 0.05; done; " + commands + "; wait $p; echo code $?) 2>&1");
  }
  std::string start() const { return "'" + program() + "' run " + dir / "scene.toml" + " -o " + dir / "run"; }
  TemporaryDirectory dir;
};

TEST_F(Signals, one_signal_is_answered_and_ends_with_a_checkpoint_and_its_own_code) {
  std::string command = start();
  for (const char* signal : {"INT", "TERM"}) {
    const Said said = run_and(command, std::string("kill -") + signal + " $p");
    EXPECT_TRUE(said.has("stopping after this step, with a checkpoint; a second signal stops at once")) << said.text;
    EXPECT_TRUE(said.has("code 3")) << said.text;
    EXPECT_EQ(files_in(dir / "run/checkpoints").size(), command == start() ? 1u : 2u);
    EXPECT_NE(read_file(dir / "run/run.log").find("stopped after frame"), std::string::npos);
    const std::string words = "to continue: ";
    ASSERT_TRUE(said.has(words)) << said.text;
    command = said.text.substr(said.text.find(words) + words.size());
    command.resize(command.find('\n'));
    EXPECT_TRUE(command.starts_with(program() + " run ")) << command;
  }
}

TEST_F(Signals, a_second_signal_stops_at_once) {
  // Both wait while the program is stopped.
  const Said said = run_and(start(), "kill -STOP $p; kill -INT $p; kill -TERM $p; kill -CONT $p");
  EXPECT_TRUE(said.has("code 130") || said.has("code 143")) << said.text;
  EXPECT_FALSE(said.has("to continue")) << said.text;
  const Said again = run_and(start() + " --resume", "kill -INT $p");
  EXPECT_TRUE(again.has("no checkpoint yet: starting from the beginning")) << again.text;
  EXPECT_TRUE(again.has("code 3")) << again.text;
}

TEST_F(Signals, the_same_signal_twice_in_a_moment_counts_once) {
  const Said said = run_and(start(), "kill -TERM $p; kill -TERM $p");
  EXPECT_TRUE(said.has("code 3")) << said.text;
  EXPECT_TRUE(said.has("to continue")) << said.text;
}

TEST_F(Signals, checkpoints_by_the_clock_survive_a_kill) {
  const Said said = run_and(start() + " -q --checkpoint-minutes 0.0001", "sleep 0.3; kill -KILL $p");
  EXPECT_TRUE(said.has("code 137")) << said.text;
  const Said again = run_and(start() + " --resume", "kill -INT $p");
  EXPECT_TRUE(again.has("resuming after frame")) << again.text;
  EXPECT_EQ(coracle("run " + dir / "scene.toml" + " -o " + dir / "x --checkpoint-minutes 0").code, 2);
}

}  // namespace
}  // namespace coracle
