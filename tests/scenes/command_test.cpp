// The program itself: what it prints and how it exits.
#include "../out/temporary_directory.h"
#include "program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

const std::string scene_text = R"(title = "a falling cube"
[domain]
resolution = 8
[time]
frames = 3
fps = 50
[[body]]
name = "cube"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[preset.quick]
time.frames = 1
)";
const std::string expect_text = R"([[expect]]
claim = "it falls"
of = "bodies.cube.center.y"
take = "change"
at_most = -0.001
presets = ["preview"]
reason = "gravity"
[[expect]]
claim = "it is on the moon"
of = "bodies.cube.center.y"
take = "max"
at_least = 3.8e8
reason = "it is not"
[[expect]]
claim = "it waits"
of = "bodies.cube.center.y"
take = "last"
from = 1.0
at_most = 0.5
reason = "after the end"
)";

class Command : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
    write_atomically(dir / "scene.toml", scene_text);
    write_atomically(dir / "expect.toml", expect_text);
  }
  Said run(const std::string& more) const {
    return coracle("run " + dir / "scene.toml" + " -o " + dir / "run" + " " + more);
  }
  TemporaryDirectory dir;
};

TEST_F(Command, a_run_ends_with_a_table_and_strict_makes_a_failure_the_exit_code) {
  const Said plain = run("");
  EXPECT_EQ(plain.code, 0) << plain.text;
  for (const char* line :
       {"pass         it falls", "FAIL         it is on the moon", "not reached  it waits", "gravity"})
    EXPECT_TRUE(plain.has(line)) << line << "\n" << plain.text;
  EXPECT_EQ(run("--resume --strict").code, 1) << "a complete run is judged again";
  const Said quiet = run("--overwrite --strict -q");
  EXPECT_EQ(quiet.code, 1);
  EXPECT_TRUE(quiet.has("FAIL  it is on the moon")) << quiet.text;
  EXPECT_FALSE(quiet.has("it falls")) << quiet.text;
  EXPECT_TRUE(coracle("info " + dir / "run").has("FAIL         it is on the moon"));
  const nlohmann::json info = nlohmann::json::parse(coracle("info --json " + dir / "run").text);
  EXPECT_EQ(info["preset"], "preview");
  ASSERT_EQ(info["expectations"].size(), 3u);
  EXPECT_EQ(info["expectations"][0]["verdict"], "pass");
  EXPECT_EQ(info["expectations"][1]["verdict"], "fail");
  EXPECT_EQ(info["expectations"][2]["verdict"], "not_reached");
  EXPECT_TRUE(info["expectations"][2]["measured"].is_null());
}

TEST_F(Command, a_preset_is_run_and_resumed_under_its_name) {
  const Said quick = run("--preset quick");
  EXPECT_EQ(quick.code, 0) << quick.text;
  EXPECT_FALSE(quick.has("it falls")) << "expected of the preview alone";
  EXPECT_TRUE(quick.has("1 frames")) << quick.text;
  EXPECT_EQ(run("--preset quick --resume").code, 0);
  EXPECT_EQ(coracle("run " + dir / "run/scene.toml" + " -o " + dir / "run" + " --resume --frames 2").code, 0);
  EXPECT_TRUE(coracle("check --preset quick " + dir / "scene.toml").has("preset      quick"));
}

TEST_F(Command, bad_input_exits_with_2_and_loses_nothing) {
  ASSERT_EQ(run("").code, 0);
  const auto before = files_in(dir / "run/frames");
  const std::string stats = read_file(dir / "run/stats.jsonl");
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Said said = run("--overwrite " + arguments);
    EXPECT_EQ(said.code, 2) << said.text;
    EXPECT_TRUE(said.has(words)) << said.text;
    EXPECT_TRUE(files_in(dir / "run/frames") == before);
    EXPECT_EQ(read_file(dir / "run/stats.jsonl"), stats);
    EXPECT_EQ(coracle("check " + dir / "scene.toml" + " " + arguments).code, 2);
  };
  refused("--preset quikc", "did you mean 'quick'?");
  refused("--set preset=quick", "chosen with --preset");
  write_atomically(dir / "expect.toml",
                   "[[expect]]\nclaim = 'a'\nof = 'bodies.cub.volume'\ntake = 'max'\nreason = 'b'\n");
  refused("", "expect.toml:3:1: there is no 'cub' in 'bodies'; did you mean 'cube'?");
  write_atomically(dir / "expect.toml", "[[expect\n");
  refused("", "expect.toml:1:");
  std::filesystem::remove(dir / "expect.toml");
  std::filesystem::create_directory(dir / "expect.toml");
  refused("", "not a file");
  std::filesystem::remove(dir / "expect.toml");
  write_atomically(dir / "scene.toml", scene_text + "time.fram = 3\n");
  refused("", "scene.toml:15:6: unknown key 'fram' in [time]; did you mean 'frames'?");
}

TEST_F(Command, a_mistyped_command_gets_the_nearest_one_and_help_takes_a_command) {
  const Said wrong = coracle("runn x");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(wrong.has("coracle runn: there is no such command; did you mean 'run'?")) << wrong.text;
  EXPECT_TRUE(coracle("frobnicate").has("there are help, list, run,"));
  const Said help = coracle("help run");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.text, coracle("run --help").text);
  EXPECT_TRUE(help.has("--checkpoint-minutes")) << help.text;
  EXPECT_EQ(coracle("help").text, coracle("--help").text);
  EXPECT_EQ(coracle("").text, coracle("--help").text) << "and so does the program's name alone";
  EXPECT_EQ(coracle("").code, 2);
  EXPECT_TRUE(coracle("help").has("3 interrupted")) << coracle("help").text;
  EXPECT_TRUE(coracle("help runn").has("did you mean 'run'?"));
}

TEST_F(Command, a_folder_stands_for_its_scene_and_another_one_is_refused) {
  ASSERT_EQ(run("").code, 0);
  EXPECT_TRUE(coracle("check " + dir / "run").has("a falling cube")) << "a run's folder";
  EXPECT_TRUE(coracle("check " + dir.path.string() + "/").has("a falling cube")) << "a scene's folder";
  EXPECT_TRUE(shell("cd '" + dir.path.string() + "' && '" + program() + "' check run").has("a falling cube"));
  const Said empty = coracle("check " + dir / "run/frames");
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(empty.has("it is a folder without a scene.toml; give a .toml file")) << empty.text;
  std::filesystem::rename(dir / "scene.toml", dir / "cube.toml");
  EXPECT_TRUE(coracle("check " + dir.path.string()).has("give one of its files: " + dir / "cube.toml"));
}

TEST_F(Command, what_the_user_can_mend_has_the_exit_code_2) {
  ASSERT_EQ(run("").code, 0);
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Said said = coracle(arguments);
    EXPECT_EQ(said.code, 2) << arguments << "\n" << said.text;
    EXPECT_TRUE(said.has(words)) << said.text;
  };
  refused("run " + dir / "scene.toml" + " -o " + dir / "run", "already holds a run");
  refused("run " + dir / "scene.toml" + " -o " + dir / "scene.toml", "Not a directory");
  refused("run " + dir / "scene.toml" + " -o " + dir / "new --resume", "there is no run");
  refused("run " + dir / "scene.toml" + " -o " + dir / "run --resume --set time.fps=25", "cannot resume");
  refused("info " + dir.path.string(), "holds no run");
  refused("render " + dir / "none", "holds no run");
  refused("view " + dir / "none", "holds no run");
  std::filesystem::remove(dir / "run/frames/body_cube.0001.ply");
  for (const char* command : {"render ", "export --to ply ", "export --to usd "}) {
    refused(command + dir / "run", "body_cube.0001.ply is missing");
    refused(command + dir / "run", "--overwrite");
  }
  EXPECT_EQ(coracle("export --to ply --frame 2:3 " + dir / "run").code, 0) << "the others can be had";
}

TEST_F(Command, a_step_that_fails_has_the_exit_code_1_and_its_command_repeats_it) {
  const Said said = run("--set time.min_dt=0.5 --set time.max_dt=1 --set time.fps=1");
  ASSERT_EQ(said.code, 1) << said.text;
  const std::string words = "to repeat the failing step: ";
  ASSERT_TRUE(said.has(words)) << said.text;
  std::string command = said.text.substr(said.text.find(words) + words.size());
  command.resize(command.find('\n'));
  const Said again = shell(command + " 2>&1");
  EXPECT_EQ(again.code, 1) << again.text;
  EXPECT_TRUE(again.has("failed.h5")) << again.text;
  EXPECT_TRUE(coracle("info " + dir / "run").has("failed; to repeat the failing step"));
}

TEST_F(Command, control_characters_never_reach_the_terminal) {
  write_atomically(dir / "scene.toml", "title = \"a\\u001b[31mb\\u009b2Jc\\u0007\\nfile  /etc\"\n" +
                                           scene_text.substr(scene_text.find('\n') + 1));
  std::string claims = expect_text;
  claims.replace(claims.find("it falls"), 8, "it\\u001b[2Jfalls");
  write_atomically(dir / "expect.toml", claims);
  const std::string out = " -o " + dir / "run";
  for (const std::string& arguments :
       {"check " + dir / "scene.toml", "run " + dir / "scene.toml" + out, "info " + dir / "run",
        "info --json " + dir / "run", "check '" + dir / "no\x1b[1msuch.toml'", std::string("run '\x1b[1m'"),
        "run --set '\x1b[1m=3' " + dir / "scene.toml" + out, std::string("'\x1b[1m'"), std::string("list '\x1b[1m'")}) {
    const Said said = coracle(arguments);
    for (const char* code : {"\x1b", "\x07", "\xc2\x9b"}) EXPECT_FALSE(said.has(code)) << arguments << said.text;
  }
  EXPECT_TRUE(coracle("check " + dir / "scene.toml").text.starts_with("a?[31mb?2Jc??file  /etc\n"));
  EXPECT_EQ(read_file(dir / "run/run.log").find('\x1b'), std::string::npos);
}

TEST_F(Command, info_tells_what_is_on_disk) {
  ASSERT_EQ(run("--set output.checkpoint_every=1").code, 0);
  const auto info = [&] { return nlohmann::json::parse(coracle("info --json " + dir / "run").text); };
  nlohmann::json whole = info();
  EXPECT_EQ(whole["state"], "complete");
  EXPECT_EQ(whole["frames"]["on_disk"], 4);
  EXPECT_EQ(whole["frames"]["problems"], "");
  ASSERT_EQ(whole["checkpoints"].size(), 2u);
  EXPECT_EQ(whole["checkpoints"][1]["frame"], 3);
  EXPECT_GT(whole["bytes"], whole["checkpoints"][1]["bytes"]);

  std::filesystem::remove(dir / "run/frames/body_cube.0002.ply");
  const std::string newest = whole["checkpoints"][1]["file"];
  std::string bytes = read_file(newest);
  bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
  write_atomically(newest, bytes);
  const Said said = coracle("info " + dir / "run");
  EXPECT_EQ(said.code, 0);
  for (const char* words :
       {"interrupted; to continue: coracle run ", "3 of 3; 3 on disk", "body_cube.0002.ply is missing",
        "checkpoint.0003.h5 (it is damaged", "checkpoint.0002.h5 (frame 2, step", "in all"})
    EXPECT_TRUE(said.has(words)) << words << "\n" << said.text;

  const int lock = ::open((dir / "run/.coracle-run").c_str(), O_RDWR);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  EXPECT_EQ(info()["state"], "running");
  ::close(lock);
}

TEST_F(Command, a_check_says_what_a_run_costs) {
  const Said said = coracle("check " + dir / "scene.toml");
  EXPECT_EQ(said.code, 0) << said.text;
  for (const char* words : {"  memory      about ", " MB for 6 tetrahedra; ", " are free\n", "  time        about ",
                            " s per frame, ", " a frame, as a trial with resolution 8 suggests\n"})
    EXPECT_TRUE(said.has(words)) << words << "\n" << said.text;
  // 50 m/s through 0.81 m² for 0.06 s are 2.4 m³: the tank of 512 cells gets full, with eight particles in each.
  const std::string tap =
      "[[inflow]]\nshape = 'box'\nmin = [0, 0.8, 0]\nmax = [0.9, 0.9, 0.9]\nvelocity = [0, -50, 0]\n";
  write_atomically(dir / "scene.toml", scene_text + tap);
  EXPECT_TRUE(coracle("check " + dir / "scene.toml").has(" MB for 512 cells, 4096 particles, "))
      << "with those to come";
}

// A program built with sanitizers reserves more addresses than any limit.
std::string limit(int megabytes) { return "ulimit -v " + std::to_string(megabytes) + "000;"; }
bool starts_within(int megabytes) { return coracle("--version", limit(megabytes)).code == 0; }

TEST_F(Command, a_run_that_does_not_fit_into_memory_is_refused_and_loses_nothing) {
  if (!starts_within(2000)) GTEST_SKIP() << "the program does not start with 2 GB";
  const std::string water = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.2, 1]\n";
  write_atomically(dir / "scene.toml", scene_text + water);
  ASSERT_EQ(run("").code, 0);
  const auto before = files_in(dir / "run/frames");
  const std::string stats = read_file(dir / "run/stats.jsonl");
  const std::string large = "run " + dir / "scene.toml" + " -o " + dir / "run --overwrite --resolution 200";
  const Said said = coracle(large, limit(2000));
  EXPECT_EQ(said.code, 2) << said.text;
  for (const char* words :
       {"scene.toml:2:1: the run needs about ", " GB of memory (8 million cells, ",
        " GB are free; domain.resolution = 1", " would fit, or --force-memory runs it all the same\n"})
    EXPECT_TRUE(said.has(words)) << words << "\n" << said.text;
  const Said forced = coracle(large + " --force-memory", limit(2000));
  EXPECT_EQ(forced.code, 4) << "it does not fit, indeed" << forced.text;
  EXPECT_TRUE(forced.has("coracle: out of memory")) << forced.text;
  EXPECT_TRUE(files_in(dir / "run/frames") == before) << "no step was done";
  EXPECT_EQ(read_file(dir / "run/stats.jsonl"), stats);
  const Said checked = coracle("check --resolution 200 " + dir / "scene.toml", limit(2000));
  EXPECT_EQ(checked.code, 0) << "a check is not a run";
  EXPECT_TRUE(checked.has("  warning     the run needs about ")) << checked.text;
  EXPECT_FALSE(checked.has("  time ")) << "no trial of what cannot run" << checked.text;
}

TEST_F(Command, running_out_of_memory_has_its_own_words_and_exit_code) {
  if (!starts_within(500)) GTEST_SKIP() << "the program does not start with 500 MB";
  // Four million tetrahedra take a gigabyte and more.
  const Said said = coracle("check --set body.cube.cells=[90,90,90] " + dir / "scene.toml", limit(500));
  EXPECT_EQ(said.code, 4) << said.text;
  EXPECT_TRUE(said.has("  warning     the run needs about ")) << said.text;
  EXPECT_TRUE(said.has("the body 'cube' is being meshed: about 4.4e+06 tetrahedra")) << said.text;
  EXPECT_TRUE(said.has("coracle: out of memory; lower domain.resolution")) << said.text;
  EXPECT_TRUE(coracle("help").has("4 out of memory"));
}

TEST_F(Command, a_run_that_runs_out_of_memory_on_the_way_is_continued_where_there_is_more) {
  if (!starts_within(500)) GTEST_SKIP() << "the program does not start with 500 MB";
  // A tank that gets full: its particles take 200 MB in the end.
  write_atomically(dir / "tank.toml", R"([domain]
resolution = 48
[time]
frames = 8
fps = 100
cfl = 4
[output]
surface = false
volume = false
[[inflow]]
shape = "box"
min = [0.05, 0.9, 0.05]
max = [0.95, 0.95, 0.95]
velocity = [0, -10, 0]
)");
  const std::string start = "run " + dir / "tank.toml" + " --threads 1 -o ";
  Said said;
  for (int megabytes = 300;; megabytes += 50) {  // enough for some frames, not for all
    said = coracle(start + dir / "tank --overwrite --force-memory", limit(megabytes));
    ASSERT_NE(said.code, 0) << "it fits into " << megabytes << " MB, and into less it did not even begin";
    if (said.code == 4 && !said.has("out of memory after frame 0, ")) break;
  }
  const std::string words = "to continue where more memory is free: ";
  EXPECT_TRUE(said.has(dir / "tank/checkpoints/failed.h5")) << said.text;
  ASSERT_TRUE(said.has(words)) << said.text;
  EXPECT_NE(read_file(dir / "tank/run.log").find("error: out of memory after frame"), std::string::npos);
  std::string command = said.text.substr(said.text.find(words) + words.size());
  command.resize(command.find('\n'));
  ASSERT_EQ(shell(command + " 2>&1").code, 0);
  ASSERT_EQ(coracle(start + dir / "whole").code, 0);
  const auto last_step = [](const std::string& stats) {
    nlohmann::json step = nlohmann::json::parse(stats.substr(stats.rfind('\n', stats.size() - 2) + 1));
    for (const char* of_the_machine : {"stages", "solver", "memory_mb"}) step.erase(of_the_machine);
    return step;
  };
  EXPECT_EQ(last_step(read_file(dir / "tank/stats.jsonl")), last_step(read_file(dir / "whole/stats.jsonl")))
      << "the same bits";
}

TEST_F(Command, bodies_that_overlap_are_refused_by_check_and_run) {
  write_atomically(dir / "scene.toml",
                   scene_text + "[[solid]]\nname = 'block'\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.55, 1]\n");
  for (const Said& said : {coracle("check " + dir / "scene.toml"), run("")}) {
    EXPECT_EQ(said.code, 2) << said.text;
    EXPECT_TRUE(said.has("scene.toml:7:1: the body 'cube' overlaps the solid 'block' at the start")) << said.text;
  }
}

TEST_F(Command, attachments_are_checked_as_they_are_run) {
  const auto rope_from = [&](const std::string& end) {
    write_atomically(dir / "scene.toml", scene_text +
                                             "[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [" + end +
                                             ", [0.5, 0.95, 0.5]]\nedge = 0.05\nrod_radius = 0.01\n" +
                                             "[[attachment]]\nbody = 'rope'\nto = 'cube'\npoints = [" + end + "]\n");
    return std::vector<Said>{coracle("check " + dir / "scene.toml"), run("--overwrite --preset quick")};
  };
  for (const Said& said : rope_from("[0.5, 0.75, 0.5]")) EXPECT_EQ(said.code, 0) << "on its surface" << said.text;
  for (const Said& said : rope_from("[0.9, 0.75, 0.9]")) {
    EXPECT_EQ(said.code, 2) << said.text;
    EXPECT_TRUE(said.has("'rope' cannot be tied to 'cube': the node at (0.9, 0.75, 0.9) is 0.354 m away")) << said.text;
  }
}

}  // namespace
}  // namespace coracle
