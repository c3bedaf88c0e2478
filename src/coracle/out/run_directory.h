// The directory of a run: what is in it, who may write to it.
//   scene.toml  expect.toml  stats.jsonl  probes.csv  frames/  checkpoints/  .coracle-run (lock and mark)
#pragma once

#include <string>

namespace coracle {

enum class DirectoryState {
  empty,    // nothing there, or nothing in it
  run,      // a run, whole or not
  foreign,  // somebody's files
};
DirectoryState directory_state(const std::string& dir);
// RunError where `dir` holds no run that could be looked at.
void require_run(const std::string& dir);

std::string scene_file(const std::string& dir);
std::string stats_file(const std::string& dir);
std::string probes_file(const std::string& dir);
std::string failed_checkpoint_file(const std::string& dir);

// Delete what a run makes, and nothing else.
void clear_run(const std::string& dir);

// Held by the one process that writes to the directory; goes with the process, however that ends.
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
