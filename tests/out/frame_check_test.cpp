#include "coracle/out/frame_check.h"

#include "coracle/error.h"
#include "tests/show/made_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace coracle {
namespace {

namespace fs = std::filesystem;

std::string file(const MadeRun& run, const std::string& name) { return run.at + "/frames/" + name; }
bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

void cut(const std::string& path) {
  const std::string whole = read_file(path);
  write_atomically(path, whole.substr(0, whole.size() - 5));
}

TEST(FrameCheck, a_whole_run_has_no_problems) {
  const MadeRun run;
  EXPECT_EQ(finished_frames(run.replay), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(find_problems(run.replay).empty());
}

TEST(FrameCheck, missing_and_damaged_files_are_named_with_the_command_that_writes_them_again) {
  const MadeRun run;
  fs::remove(file(run, "surface.0001.ply"));
  cut(file(run, "body_water.0002.ply"));
  const Replay replay = open_replay(run.at);
  EXPECT_EQ(replay.frames, (std::vector<int>{0, 2, 3})) << "one that is cut short is there";
  const std::string said = problems_text(replay, find_problems(replay));
  EXPECT_TRUE(has(said, "frames 1 to 2 of " + run.at)) << said;
  EXPECT_TRUE(has(said, "surface.0001.ply is missing")) << said;
  EXPECT_TRUE(has(said, "body_water.0002.ply is cut short")) << said;
  EXPECT_TRUE(has(said, "coracle run " + run.at + "/scene.toml -o " + run.at + " --resume")) << said;
}

TEST(FrameCheck, frames_before_the_checkpoint_need_the_whole_run_again) {
  const MadeRun run;
  make_directories(run.at + "/checkpoints");
  write_atomically(run.at + "/checkpoints/checkpoint.0002.h5", "");
  cut(file(run, "surface.0001.ply"));
  EXPECT_TRUE(has(problems_text(run.replay, find_problems(run.replay)), "--overwrite"));
}

TEST(FrameCheck, the_last_frames_of_a_finished_run_are_missed_and_one_that_is_being_written_is_not) {
  const MadeRun run;
  fs::remove(file(run, "body_water.0003.ply"));
  EXPECT_TRUE(find_problems(open_replay(run.at)).empty()) << "the run may be writing it now";
  make_directories(run.at + "/checkpoints");
  write_atomically(run.at + "/checkpoints/checkpoint.0003.h5", "");
  const Replay replay = open_replay(run.at);
  const std::vector<FrameProblem> problems = find_problems(replay);
  ASSERT_EQ(problems.size(), 1u) << "a checkpoint comes after its frames";
  EXPECT_EQ(problems[0].frame, 3);
}

TEST(FrameCheck, every_kind_of_damage_is_told) {
  const MadeRun run;
  const auto damage = [&](const std::string& name, const std::string& bytes) {
    write_atomically(run.dir / name, bytes);
    return damage_of(run.dir / name);
  };
  EXPECT_EQ(damage("a.ply", ""), "is empty");
  EXPECT_EQ(damage("a.ply", "solid"), "is not a binary PLY file of coracle");
  EXPECT_TRUE(has(damage("a.nrrd", "NRRD0004\n"), "is broken"));
  EXPECT_EQ(damage("a.vtu", "<VTKFile>"), "is cut short");
  EXPECT_EQ(damage("b.vtu", "<VTKFile></VTKFile>\n"), "");
  EXPECT_EQ(damage_of(run.dir / "none.ply"), "is missing");
  EXPECT_EQ(damage_of(run.at), "is not a file");
}

TEST(FrameCheck, a_file_without_permission_has_another_remedy) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read anything";
  const MadeRun run;
  fs::permissions(file(run, "surface.0001.ply"), fs::perms::none);
  const std::string said = problems_text(run.replay, find_problems(run.replay));
  EXPECT_TRUE(has(said, "cannot be opened (Permission denied)")) << said;
  EXPECT_TRUE(has(said, "chmod")) << said;
}

TEST(FrameCheck, reading_a_damaged_frame_names_its_file_and_the_remedy) {
  const MadeRun run;
  cut(file(run, "surface.0002.ply"));
  const std::string said = message_of<RunError>([&] { read_frame(run.replay, 2); });
  EXPECT_TRUE(has(said, "surface.0002.ply is cut short")) << said;
  EXPECT_TRUE(has(said, "to write them again: coracle run ")) << said;
  EXPECT_FALSE(has(said, "leave them out")) << said;
  EXPECT_FALSE(read_body(run.replay, run.replay.scene.bodies[0], 2).x.empty()) << "it has a file of its own";
}

}  // namespace
}  // namespace coracle
