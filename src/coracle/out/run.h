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
  // 1: stop at the end of the frame, with a checkpoint; 2: after the step. Set by a signal's handler.
  const std::atomic<int>* stop = nullptr;
  std::vector<Expectation> expectations;  // kept beside the scene, for judge()
  // Told in words where the run starts, when that is not the beginning.
  std::function<void(const std::string&)> say;
};

enum class RunEnd { done, was_done, stopped };

// Throws RunError when the run cannot start or go on, SceneError when the scene cannot be built.
RunEnd run(const Scene& scene, const RunOptions& options,
           const std::function<void(const StepReport&, const World&)>& on_step);

// The command that goes on with the run in `dir`.
std::string resume_command(const std::string& dir);

}  // namespace coracle
