#include "coracle/out/run_directory.h"

#include "coracle/error.h"
#include "coracle/out/run.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace coracle {
namespace {

// What `run` says of a directory before it looks at the scene.
std::string refusal(const std::string& dir, bool resume = false, bool overwrite = false) {
  RunOptions options;
  options.dir = dir;
  options.resume = resume;
  options.overwrite = overwrite;
  return message_of<RunError>([&] { run(Scene(), options, {}); });
}

void make_run(const TemporaryDirectory& dir) {
  { const RunLock lock(dir.path); }
  for (const char* file : {"scene.toml", "stats.jsonl", "probes.csv", "notes.txt"}) write_atomically(dir / file, "x");
  make_directories(dir / "frames");
  make_directories(dir / "checkpoints");
  write_atomically(dir / "frames/surface.0000.ply", "x");
}

TEST(RunDirectory, a_run_in_the_way_is_named_with_both_remedies) {
  const TemporaryDirectory dir;
  make_run(dir);
  EXPECT_EQ(directory_state(dir.path), DirectoryState::run);
  const std::string message = refusal(dir.path);
  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
  EXPECT_NE(message.find("--overwrite"), std::string::npos) << message;
}

// Whoever can open the lock's file can hold the lock, and keep the run from starting.
TEST(RunDirectory, only_its_user_can_open_the_lock) {
  const TemporaryDirectory dir;
  const std::string file = dir / ".coracle-run";
  const auto mode = [&] { return std::filesystem::status(file).permissions(); };
  using std::filesystem::perms;
  { const RunLock lock(dir.path); }
  EXPECT_EQ(mode(), perms::owner_read | perms::owner_write);
  std::filesystem::permissions(file, perms(0666));  // as an earlier version made it
  { const RunLock lock(dir.path); }
  EXPECT_EQ(mode(), perms::owner_read | perms::owner_write);
}

TEST(RunDirectory, somebodys_files_are_never_overwritten) {
  const TemporaryDirectory dir;
  write_atomically(dir / "scene.toml", "the author's own");
  write_atomically(dir / "README.md", "x");
  for (const auto& [resume, overwrite] : {std::pair{false, false}, std::pair{false, true}, std::pair{true, false}}) {
    const std::string message = refusal(dir.path, resume, overwrite);
    EXPECT_NE(message.find("not a run's"), std::string::npos) << message;
  }
  EXPECT_EQ(files_in(dir.path).size(), 2u);
  EXPECT_EQ(read_file(dir / "scene.toml"), "the author's own");
}

TEST(RunDirectory, clearing_deletes_what_a_run_makes_and_nothing_else) {
  const TemporaryDirectory dir;
  make_run(dir);
  clear_run(dir.path);
  EXPECT_TRUE(std::filesystem::exists(dir / "notes.txt"));
  for (const char* name : {"scene.toml", "stats.jsonl", "probes.csv", "frames", "checkpoints"})
    EXPECT_FALSE(std::filesystem::exists(dir / name)) << name;
}

TEST(RunDirectory, nothing_to_resume_is_an_error) {
  const TemporaryDirectory dir;
  EXPECT_NE(refusal(dir / "new", true).find("no run"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir / "new"));
  EXPECT_NE(refusal(dir / "new", true, true).find("give only one of them"), std::string::npos);
}

TEST(RunDirectory, a_file_in_the_place_of_the_directory_is_named) {
  const TemporaryDirectory dir;
  write_atomically(dir / "file", "");
  EXPECT_NE(refusal(dir / "file").find(dir / "file"), std::string::npos);
}

TEST(RunDirectory, a_directory_without_permission_is_named) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryDirectory dir;
  std::filesystem::permissions(dir.path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const std::string message = refusal(dir / "out");
  EXPECT_NE(message.find("may write to"), std::string::npos) << message;
}

TEST(RunDirectory, two_runs_cannot_share_a_directory) {
  const TemporaryDirectory dir;
  const RunLock first(dir.path);
  const std::string message = message_of<RunError>([&] { const RunLock second(dir.path); });
  EXPECT_NE(message.find("another run"), std::string::npos) << message;
}

TEST(RunDirectory, the_lock_goes_with_its_holder) {
  const TemporaryDirectory dir;
  { const RunLock first(dir.path); }
  const RunLock second(dir.path);
  EXPECT_EQ(directory_state(dir.path), DirectoryState::empty);
}

TEST(RunDirectory, the_command_to_resume_can_be_pasted_into_a_shell) {
  EXPECT_EQ(resume_command("runs/a"), "coracle run runs/a/scene.toml -o runs/a --resume");
  EXPECT_EQ(resume_command("my runs/it's"), "coracle run 'my runs/it'\\''s/scene.toml' -o 'my runs/it'\\''s' --resume");
}

}  // namespace
}  // namespace coracle
