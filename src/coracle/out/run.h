// A whole run: from a scene to a directory of frames, statistics and checkpoints.
#pragma once

#include "coracle/error.h"
#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/scene/expect.h"
#include "coracle/world.h"

#include <atomic>
#include <functional>
#include <string>

namespace coracle {

// What a run is doing, for who watches it.
enum class RunPhase { stepping, paused };

struct RunOptions {
  std::string dir;
  bool resume = false;
  bool overwrite = false;
  // Above 0: stop after the step, with a checkpoint. Set by a signal handler.
  const std::atomic<int>* stop = nullptr;
  bool control = false;             // another process may pause and stop it: run_control.h
  bool force_memory = false;        // run even if the memory seems too small
  double checkpoint_minutes = 0;    // also a checkpoint whenever so much time has passed; 0: only at the end of frames
  std::string program = "coracle";  // in the commands that messages contain
  std::vector<Expectation> expectations;  // written beside the scene, for judge()
  // Receives messages, such as where a resumed run starts.
  std::function<void(const std::string&)> say;
  // Receives what must not be missed: a damaged checkpoint.
  std::function<void(const std::string&)> warn;
  // Called before the first step, and at the start and the end of a pause.
  std::function<void(RunPhase, const World&)> on_phase;
};

// Memory ran out; the text says what is kept.
class MemoryError : public RunError {
 public:
  using RunError::RunError;
};

enum class RunEnd { done, was_done, stopped };

// Throws SceneError when the scene cannot be built or does not fit into memory, RunError when the run cannot start or
// go on, StepError when a step fails, MemoryError when memory runs out after the start. Writes what it says, and the
// notes of steps, to run.log.
RunEnd run(const Scene& scene, const RunOptions& options,
           const std::function<void(const StepReport&, const World&)>& on_step);

// Whether the run in `dir` has reached `frames` frames.
bool is_complete(const std::string& dir, int frames);
// "running", "failed", "complete" or "interrupted"; `frames`: asked for.
std::string run_state(const std::string& dir, int frames);
// RunError unless the run in `dir` has this scene and its meshes; only what cannot change a result may differ.
// `restart`: how to run it anew, for the message.
void require_same_scene(const Scene& scene, const std::string& dir, const std::string& restart);

// The command that starts the run in `dir` again from its own scene.
std::string restart_command(const std::string& dir, const std::string& program = "coracle");
// The command that continues it.
std::string resume_command(const std::string& dir, const std::string& program = "coracle");
std::string resume_command(const RunOptions& options);

}  // namespace coracle
