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

TEST(Files, AnAtomicWriteReplacesTheFileAndLeavesNothingElse) {
  const TemporaryDirectory dir;
  write_atomically(dir / "a", "first");
  write_atomically(dir / "a", std::string("sec\0nd", 6), Durable::yes);
  EXPECT_EQ(files_in(dir.path), (std::map<std::string, std::string>{{"a", std::string("sec\0nd", 6)}}));
}

TEST(Files, AWriteThatRunsOutOfSpaceKeepsTheOldFileAndNamesTheReason) {
  const TemporaryDirectory dir;
  write_atomically(dir / "a", "old");
  const FileSizeLimit limit(1000);
  const std::string message = message_of<RunError>([&] { write_atomically(dir / "a", std::string(5000, 'x')); });
  EXPECT_NE(message.find(dir / "a"), std::string::npos) << message;
  EXPECT_NE(message.find("free some space"), std::string::npos) << message;
  EXPECT_EQ(files_in(dir.path), (std::map<std::string, std::string>{{"a", "old"}}));
}

TEST(Files, APendingFileWithoutACommitLeavesNothing) {
  const TemporaryDirectory dir;
  {
    const PendingFile pending(dir / "a");
    std::ofstream(pending.temporary()) << "half";
  }
  EXPECT_TRUE(files_in(dir.path).empty());
}

TEST(Files, AppendingToAFullDiskIsARunError) {
  AppendFile full("/dev/full");
  const std::string message = message_of<RunError>([&] { full.line("x"); });
  EXPECT_NE(message.find("No space left"), std::string::npos) << message;
}

TEST(Files, AppendingGoesOnWhereTheFileEnds) {
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

TEST(Files, ADirectoryThatCannotBeMadeIsNamed) {
  const TemporaryDirectory dir;
  write_atomically(dir / "file", "");
  const std::string message = message_of<RunError>([&] { make_directories(dir / "file/below"); });
  EXPECT_NE(message.find(dir / "file/below"), std::string::npos) << message;
}

}  // namespace
}  // namespace coracle
