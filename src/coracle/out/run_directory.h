// The directory of a run: its files and its lock.
//   scene.toml  expect.toml  meshes/  run.log  stats.jsonl  probes.csv  frames/  checkpoints/
//   .coracle-run (lock and marker)  control/ (run_control.h, while a run with --control goes on)
#pragma once

#include <string>

namespace coracle {

enum class DirectoryState {
  empty,    // does not exist, or is empty
  run,      // a run, complete or not
  foreign,  // other files
};
DirectoryState directory_state(const std::string& dir);
// RunError if `dir` holds no run with a scene.
void require_run(const std::string& dir);

std::string scene_file(const std::string& dir);
std::string meshes_folder(const std::string& dir);
std::string log_file(const std::string& dir);
std::string stats_file(const std::string& dir);
std::string probes_file(const std::string& dir);
std::string failed_checkpoint_file(const std::string& dir);

// Whether a process is writing to it now. False if this user may not open the run's lock.
bool is_being_written(const std::string& dir);

// Deletes the files of a run, and nothing else.
void clear_run(const std::string& dir);

// Held by the one process that writes to the directory; released when the process ends for any reason.
class RunLock {
 public:
  explicit RunLock(const std::string& dir);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_;
};

}  // namespace coracle
