#include "coracle/out/run.h"

#include "coracle/base/background.h"
#include "coracle/base/files.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/simulation_state.h"
#include "coracle/out/stats.h"
#include "coracle/solve/matrix_market.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/couple/reference_forms.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

namespace coracle {
namespace {

struct StoppedInStep {};

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@,%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

void refuse(const DirectoryState state, const RunOptions& options) {
  const std::string& dir = options.dir;
  if (options.resume && options.overwrite)
    throw RunError("--resume continues a run and --overwrite deletes it: give only one of them");
  if (state == DirectoryState::foreign)
    throw RunError(fmt::format("{} holds files that are not a run's; choose another directory with -o", dir));
  if (options.resume && state == DirectoryState::empty)
    throw RunError(fmt::format("there is no run in {} to resume; leave out --resume to start one", dir));
  if (!options.resume && !options.overwrite && state == DirectoryState::run)
    throw RunError(fmt::format(
        "{} already holds a run; --resume continues it, --overwrite deletes it, or choose another with -o", dir));
}

// The earlier run must have this scene; only its duration and output may differ.
void check_same_scene(const Scene& scene, const std::string& dir) {
  Scene before = load_scene(scene_file(dir));
  before.time.frames = scene.time.frames;
  before.output = scene.output;
  std::istringstream old_text(to_toml(before)), new_text(to_toml(scene));
  std::string old_line, new_line;
  for (;;) {
    const bool more_old = bool(std::getline(old_text, old_line));
    const bool more_new = bool(std::getline(new_text, new_line));
    if (!more_old && !more_new) return;
    if (more_old && more_new && old_line == new_line) continue;
    throw RunError(fmt::format(
        "cannot resume {}: its scene says \"{}\", this one says \"{}\"; give the scene of the run ({}), or "
        "start again with --overwrite",
        dir, more_old ? old_line : "(nothing more)", more_new ? new_line : "(nothing more)", scene_file(dir)));
  }
}

class StepFiles {
 public:
  StepFiles(const Scene& scene, const std::string& dir) : stats_(stats_file(dir)) {
    const std::vector<std::string> columns = probe_columns(scene);
    if (columns.empty()) return;
    probes_ = std::make_unique<AppendFile>(probes_file(dir));
    if (probes_->empty()) probes_->line(probes_header(columns));
  }
  void add(const StepReport& report) {
    stats_.line(stats_line(report));
    if (probes_) probes_->line(probes_line(report));
  }

 private:
  AppendFile stats_;
  std::unique_ptr<AppendFile> probes_;
};

// A failure outside the physics, most often a full disk.
[[noreturn]] void fail_outside(const RunError& error, const std::string& dir) {
  throw RunError(fmt::format("{}\nto continue from the last checkpoint: {}", error.what(), resume_command(dir)));
}

// A step failed: save the world, and say how to repeat the step.
[[noreturn]] void fail(const RunError& error, const std::string& dir, const World& world, const Workspace& work,
                       const std::string& scene_text) {
  std::string kept;
  try {
    make_directories(dir + "/checkpoints");
    write_checkpoint_file(failed_checkpoint_file(dir), world, scene_text);
    kept = "the state before the failing step is in " + failed_checkpoint_file(dir);
    if (const AssembledSystem* system = failed_system(work)) {
      const std::string matrix = dir + "/checkpoints/failed_matrix.mtx", rhs = dir + "/checkpoints/failed_rhs.mtx";
      write_matrix(matrix, system->matrix, system->symmetric ? Symmetry::symmetric : Symmetry::general);
      write_vector(rhs, system->rhs);
      kept += fmt::format("\nits linear system is in {} and {}", matrix, rhs);
    }
  } catch (const RunError& second) {
    kept = std::string("its state could not be saved: ") + second.what();
  }
  throw StepError(fmt::format("{}\n{}\nto repeat the failing step: {}", error.what(), kept, resume_command(dir)));
}

}  // namespace

std::string resume_command(const std::string& dir) {
  return fmt::format("coracle run {} -o {} --resume", quoted(scene_file(dir)), quoted(dir));
}

RunEnd run(const Scene& scene, const RunOptions& options,
           const std::function<void(const StepReport&, const World&)>& on_step) {
  const std::string& dir = options.dir;
  const auto stop = [&] { return options.stop ? options.stop->load() : 0; };
  const auto say = [&](const std::string& text) {
    if (options.say) options.say(text);
  };

  // 1. Check and lock the directory.
  refuse(directory_state(dir), options);
  make_directories(dir);
  const RunLock lock(dir);
  const bool known = options.resume && std::filesystem::exists(scene_file(dir));
  if (known) check_same_scene(scene, dir);

  // 2. Load the last checkpoint, or start from the scene.
  const std::optional<CheckpointState> checkpoint = known ? newest_checkpoint(dir, options.warn) : std::nullopt;
  if (checkpoint) {
    const Clock& clock = checkpoint->clock;
    if (clock.frame >= scene.time.frames) {
      say(fmt::format("the run in {} is complete: {} frames", dir, clock.frame));
      return RunEnd::was_done;
    }
    say(fmt::format("resuming after frame {}, step {}", clock.frame, clock.step));
  } else if (options.resume) {
    say(checkpoint_files(dir).empty() ? "no checkpoint yet: starting from the beginning"
                                      : "no checkpoint can be read: starting from the beginning");
  }
  const SimulationOptions logged{.threads = 0, .log = say};
  Simulation simulation = checkpoint ? Simulation::resume(scene, checkpoint->path, logged) : Simulation(scene, logged);
  const World& world = simulation.world();
  const Workspace& work = simulation.state().work;
  if (options.overwrite) clear_run(dir);
  const std::string scene_text = to_toml(simulation.scene());
  write_atomically(scene_file(dir), scene_text);
  if (options.expectations.empty())
    remove_all(expect_file_of(scene_file(dir)));
  else
    write_atomically(expect_file_of(scene_file(dir)), to_toml(options.expectations));
  remove_all(failed_checkpoint_file(dir));
  cut_back(stats_file(dir), world.clock.step);
  cut_back(probes_file(dir), world.clock.step);
  StepFiles files(scene, dir);

  std::string last_checkpoint = checkpoint ? checkpoint->path : "";
  Background files_of_frames;
  const Later later = [&](std::function<void()> task) { files_of_frames.later(std::move(task)); };
  if (world.clock.frame == 0) write_frame(dir, scene, world, work, later);

  // 3. Advance frame by frame.
  bool outside = false;  // the error comes from `listen`, not from the step
  const auto listen = [&](const StepReport& report) {
    try {
      files.add(report);
      if (on_step) on_step(report, world);
      if (stop() > 1) throw StoppedInStep();
    } catch (...) {
      outside = true;
      throw;
    }
  };
  while (!simulation.done()) {
    try {
      simulation.frame(listen);
    } catch (const StoppedInStep&) {
      files_of_frames.wait();
      return RunEnd::stopped;
    } catch (const RunError& error) {
      if (outside) fail_outside(error, dir);
      fail(error, dir, world, work, scene_text);
    }
    const bool last = world.clock.frame >= scene.time.frames;
    const bool stopping = stop() > 0 && !last;
    try {
      files_of_frames.wait();  // for the previous frame
      write_frame(dir, scene, world, work, later);
      if (last || stopping || world.clock.frame % scene.output.checkpoint_every == 0) {
        files_of_frames.wait();  // a resumed run needs all frames before its checkpoint
        last_checkpoint = write_checkpoint(dir, world, scene_text, FrameDone::yes, last_checkpoint);
      }
    } catch (const RunError& error) {
      fail_outside(error, dir);
    }
    if (stopping) return RunEnd::stopped;
  }
  files_of_frames.wait();
  return RunEnd::done;
}

}  // namespace coracle
