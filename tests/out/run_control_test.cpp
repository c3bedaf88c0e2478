#include "coracle/out/run_control.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/run_directory.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

namespace coracle {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

class RunControlTest : public testing::Test {
 protected:
  TemporaryDirectory outside;
  std::string dir = outside / "run";
  RunControlTest() { make_directories(dir); }
};

TEST_F(RunControlTest, the_token_is_128_random_bits_for_its_user_alone) {
  const RunLock lock(dir);
  std::set<std::string> tokens;
  for (int i = 0; i < 20; ++i) {
    const RunControl control(dir);
    EXPECT_EQ(mode_of(dir + "/control"), 0700u);
    EXPECT_EQ(mode_of(dir + "/control/token"), 0600u);
    const std::string token = control_token(dir).value_or("");
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 20u) << "each run has another one";
  EXPECT_FALSE(fs::exists(dir + "/control")) << "it ends with the run";
}

TEST_F(RunControlTest, a_request_is_taken_once_and_the_newest_counts) {
  const RunLock lock(dir);
  RunControl control(dir);
  control.look();
  EXPECT_FALSE(control.paused() || control.stop());
  EXPECT_FALSE(control_state(dir)->paused);
  EXPECT_FALSE(control_state(dir)->asked);
  ask_run(dir, ControlRequest::pause);
  EXPECT_EQ(control_state(dir)->asked, ControlRequest::pause);
  control.look();
  EXPECT_TRUE(control.paused());
  EXPECT_TRUE(control_state(dir)->paused);
  EXPECT_FALSE(control_state(dir)->asked) << "taken";
  control.look();
  EXPECT_TRUE(control.paused()) << "until it is told otherwise";
  ask_run(dir, ControlRequest::stop);
  ask_run(dir, ControlRequest::go_on);
  control.look();
  EXPECT_FALSE(control.paused() || control.stop());
  EXPECT_FALSE(control_state(dir)->paused);
  ask_run(dir, ControlRequest::pause);
  control.look();
  ask_run(dir, ControlRequest::stop);
  control.look();
  EXPECT_TRUE(control.stop());
  EXPECT_FALSE(control.paused()) << "a paused run stops too";
}

TEST_F(RunControlTest, what_is_no_request_is_dropped) {
  const RunLock lock(dir);
  RunControl control(dir);
  for (const std::string& text :
       {std::string(), std::string("PAUSE\n"), std::string("pause now\n"), std::string(5000, 'p')}) {
    write_atomically(dir + "/control/request", text);
    control.look();
    EXPECT_FALSE(control.paused() || control.stop()) << text;
    EXPECT_FALSE(fs::exists(dir + "/control/request"));
  }
  fs::create_symlink(outside / "elsewhere", dir + "/control/request");
  control.look();
  EXPECT_FALSE(control.paused() || control.stop());
}

TEST_F(RunControlTest, what_a_killed_run_has_left_counts_for_nothing) {
  make_directories(dir + "/control");
  fs::permissions(dir + "/control", fs::perms::owner_all);
  write_atomically(dir + "/control/token", "0123456789abcdef0123456789abcdef\n");
  write_atomically(dir + "/control/paused", "");
  write_atomically(dir + "/control/request", "stop\n");
  EXPECT_FALSE(control_state(dir)) << "nobody holds the lock";
  EXPECT_FALSE(control_token(dir));
  const RunLock lock(dir);
  RunControl control(dir);
  control.look();
  EXPECT_FALSE(control.stop() || control.paused());
  EXPECT_FALSE(control_state(dir)->paused);
  EXPECT_NE(control_token(dir), "0123456789abcdef0123456789abcdef");
}

// The files of a folder named control that somebody else has made.
TEST_F(RunControlTest, files_that_are_not_its_own_are_never_deleted) {
  const RunLock lock(dir);
  make_directories(dir + "/control");
  for (const char* name : {"thesis.tex", "token", "request", "taken", "paused"})
    write_atomically(dir + "/control/" + name, "mine");
  const auto refused = [&] { return message_of<RunError>([&] { const RunControl control(dir); }); };
  // Others may enter it: no run has made it.
  fs::permissions(dir + "/control", fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  clear_control(dir);
  EXPECT_NE(refused().find("control is in the way"), std::string::npos) << refused();
  EXPECT_EQ(files_in(dir + "/control").size(), 5u);
  // A killed run could have made it, but not all that it holds.
  fs::permissions(dir + "/control", fs::perms::owner_all);
  write_atomically(dir + "/control/request.Ab12Cd", "stop\n");
  clear_control(dir);
  EXPECT_NE(refused().find("control is in the way"), std::string::npos) << refused();
  EXPECT_EQ(files_in(dir + "/control").size(), 1u);
  EXPECT_EQ(read_file(dir + "/control/thesis.tex"), "mine");
  fs::remove(dir + "/control/thesis.tex");
  { const RunControl control(dir); }  // of an empty one
  EXPECT_FALSE(fs::exists(dir + "/control"));
  // A file, or a link, of its name.
  write_atomically(dir + "/control", "mine");
  clear_control(dir);
  EXPECT_NE(refused().find("control is in the way"), std::string::npos) << refused();
  fs::rename(dir + "/control", outside / "file");
  fs::create_directory(outside / "private");
  fs::permissions(outside / "private", fs::perms::owner_all);
  write_atomically(outside / "private/token", "mine");
  fs::create_directory_symlink(outside / "private", dir + "/control");
  clear_control(dir);
  EXPECT_NE(refused().find("control is in the way"), std::string::npos) << refused();
  EXPECT_EQ(read_file(outside / "private/token"), "mine");
}

TEST_F(RunControlTest, a_folder_that_others_may_enter_or_a_link_is_not_trusted) {
  const RunLock lock(dir);
  const RunControl control(dir);
  fs::permissions(dir + "/control", fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  EXPECT_FALSE(control_token(dir));
  fs::permissions(dir + "/control", fs::perms::owner_all);
  EXPECT_TRUE(control_token(dir));
  fs::rename(dir + "/control", outside / "moved");
  fs::create_directory_symlink(outside / "moved", dir + "/control");
  EXPECT_FALSE(control_token(dir));
  ask_run(dir, ControlRequest::stop);
  EXPECT_FALSE(fs::exists(outside / "moved/request")) << "nothing is written through a link";
}

TEST(SameToken, is_true_for_equal_texts_only) {
  EXPECT_TRUE(same_token("0a1b", "0a1b"));
  for (const char* other : {"", "0a1", "0a1b2", "0a1c", "1a1b", "0A1B"})
    EXPECT_FALSE(same_token("0a1b", other)) << other;
}

}  // namespace
}  // namespace coracle
