#include "coracle/out/run_directory.h"

#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// No scene's author creates this file: a folder with only a scene.toml is not a run.
constexpr const char* mark = ".coracle-run";

}  // namespace

std::string scene_file(const std::string& dir) { return dir + "/scene.toml"; }
std::string meshes_folder(const std::string& dir) { return dir + "/meshes"; }
std::string log_file(const std::string& dir) { return dir + "/run.log"; }
std::string stats_file(const std::string& dir) { return dir + "/stats.jsonl"; }
std::string probes_file(const std::string& dir) { return dir + "/probes.csv"; }
std::string failed_checkpoint_file(const std::string& dir) { return dir + "/checkpoints/failed.h5"; }

DirectoryState directory_state(const std::string& dir) {
  std::error_code error;
  const fs::file_status status = fs::status(dir, error);
  if (status.type() == fs::file_type::not_found) return DirectoryState::empty;
  if (error) file_error("open", dir, error.value());
  if (!fs::is_directory(status)) file_error("use as a run's directory", dir, ENOTDIR);
  fs::directory_iterator entries(dir, error);
  if (error) file_error("open", dir, error.value());
  bool anything = false, marked = false;
  for (const fs::directory_entry& entry : entries) (entry.path().filename() == mark ? marked : anything) = true;
  if (!anything) return DirectoryState::empty;
  const bool looks_like_one = fs::exists(scene_file(dir), error) && fs::exists(stats_file(dir), error);
  return marked || looks_like_one ? DirectoryState::run : DirectoryState::foreign;
}

void require_run(const std::string& dir) {
  if (directory_state(dir) != DirectoryState::run || !fs::exists(scene_file(dir)))
    throw RunError(fmt::format("{} holds no run; give the directory that coracle run wrote to", dir));
}

bool is_being_written(const std::string& dir) {
  const int file = ::open((dir + "/" + mark).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

void clear_run(const std::string& dir) {
  for (const std::string& file : {scene_file(dir), dir + "/expect.toml", log_file(dir), stats_file(dir),
                                  probes_file(dir), dir + "/plots.svg", dir + "/plots.png", dir + "/plots.csv"}) {
    remove_all(file);
    remove_all(file + ".part");
  }
  remove_all(meshes_folder(dir));
  remove_all(dir + "/frames");
  remove_all(dir + "/checkpoints");
}

RunLock::RunLock(const std::string& dir) {
  const std::string path = dir + "/" + mark;
  // For this user alone: who can open the file, only to read it, can hold the lock and so keep the run from starting.
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) file_error("write to", dir, errno);
  ::fchmod(file_, 0600);  // one of an earlier version; fails if it is another user's
  int reason = 0;
  for (int tries = 0; tries < 5; ++tries) {  // is_being_written() holds the lock for a moment
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    reason = errno;
    ::usleep(20'000);
  }
  ::close(file_);
  if (reason == EWOULDBLOCK)
    throw RunError(
        fmt::format("another run is writing to {}; wait for it, stop it, or choose another directory with -o", dir));
  file_error("lock", path, reason);
}

RunLock::~RunLock() { ::close(file_); }

}  // namespace coracle
