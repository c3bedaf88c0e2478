// A whole run: from a scene to a directory of frames, statistics and checkpoints.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/scene/expect.h"
#include "coracle/world.h"

#include <atomic>
#include <functional>
#include <string>

namespace coracle {

struct RunOptions {
  std::string dir;
  bool resume = false;
  bool overwrite = false;
  // 1: stop at the end of the frame, with a checkpoint; 2: stop after the step. Set by a signal handler.
  const std::atomic<int>* stop = nullptr;
  std::vector<Expectation> expectations;  // written beside the scene, for judge()
  // Receives messages, such as where a resumed run starts.
  std::function<void(const std::string&)> say;
  // Receives what must not be missed: a checkpoint that cannot be read.
  std::function<void(const std::string&)> warn;
};

enum class RunEnd { done, was_done, stopped };

// Throws RunError when the run cannot start or go on, SceneError when the scene cannot be built.
RunEnd run(const Scene& scene, const RunOptions& options,
           const std::function<void(const StepReport&, const World&)>& on_step);

// The command that continues the run in `dir`.
std::string resume_command(const std::string& dir);

}  // namespace coracle
