#include "coracle/base/files.h"

#include "coracle/error.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

namespace coracle {
namespace {

// While it lives, no file of this process grows beyond `bytes`: the closest to a full disk that a test can have.
struct FileSizeLimit {
  rlimit before;
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit now{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before); }
};

TEST(Files, an_atomic_write_replaces_the_file_and_leaves_nothing_else) {
  const TemporaryDirectory dir;
  write_atomically(dir / "a", "first");
  write_atomically(dir / "a", std::string("sec\0nd", 6), Durable::yes);
  EXPECT_EQ(files_in(dir.path), (std::map<std::string, std::string>{{"a", std::string("sec\0nd", 6)}}));
}

TEST(Files, a_write_that_runs_out_of_space_keeps_the_old_file_and_names_the_reason) {
  const TemporaryDirectory dir;
  write_atomically(dir / "a", "old");
  const FileSizeLimit limit(1000);
  const std::string message = message_of<RunError>([&] { write_atomically(dir / "a", std::string(5000, 'x')); });
  EXPECT_NE(message.find(dir / "a"), std::string::npos) << message;
  EXPECT_NE(message.find("free some space"), std::string::npos) << message;
  EXPECT_EQ(files_in(dir.path), (std::map<std::string, std::string>{{"a", "old"}}));
}

TEST(Files, a_pending_file_without_a_commit_leaves_nothing) {
  const TemporaryDirectory dir;
  {
    const PendingFile pending(dir / "a");
    std::ofstream(pending.temporary()) << "half";
  }
  EXPECT_TRUE(files_in(dir.path).empty());
}

TEST(Files, appending_to_a_full_disk_is_a_run_error) {
  AppendFile full("/dev/full");
  const std::string message = message_of<RunError>([&] { full.line("x"); });
  EXPECT_NE(message.find("No space left"), std::string::npos) << message;
}

TEST(Files, appending_goes_on_where_the_file_ends) {
  const TemporaryDirectory dir;
  {
    AppendFile file(dir / "a");
    EXPECT_TRUE(file.empty());
    file.line("one");
  }
  AppendFile file(dir / "a");
  EXPECT_FALSE(file.empty());
  file.line("two");
  EXPECT_EQ(read_file(dir / "a"), "one\ntwo\n");
}

TEST(Files, a_directory_that_cannot_be_made_is_named) {
  const TemporaryDirectory dir;
  write_atomically(dir / "file", "");
  const std::string message = message_of<RunError>([&] { make_directories(dir / "file/below"); });
  EXPECT_NE(message.find(dir / "file/below"), std::string::npos) << message;
}

}  // namespace
}  // namespace coracle
