#include "coracle/out/run.h"

#include "coracle/base/amounts.h"
#include "coracle/base/background.h"
#include "coracle/base/device_memory_error.h"
#include "coracle/base/files.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/forecast.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_control.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/run_log.h"
#include "coracle/out/run_meshes.h"
#include "coracle/out/simulation_state.h"
#include "coracle/out/stats.h"
#include "coracle/scene/nearest.h"
#include "coracle/solve/matrix_market.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <thread>

namespace coracle {
namespace {

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

// Give `before` the values of `now` that do not change a result.
void take_over_harmless(const Scene& now, Scene& before) {
  before.title = now.title;
  before.preset = now.preset;
  before.time.frames = now.time.frames;
  before.output = now.output;
  before.camera = now.camera;
  before.look = now.look;
  before.solver.dump = now.solver.dump;
  before.solver.backend = now.solver.backend;  // which changes it by less than the solver's tolerance
  for (std::size_t b = 0; b < std::min(before.bodies.size(), now.bodies.size()); ++b) {
    before.bodies[b].color = now.bodies[b].color;
    before.bodies[b].opacity = now.bodies[b].opacity;
  }
  for (std::size_t s = 0; s < std::min(before.solids.size(), now.solids.size()); ++s)
    before.solids[s].color = now.solids[s].color;
}

// The earlier run must have this scene and its meshes; only what cannot change a result may differ.
void check_same_scene(const Scene& scene, const MeshCopies& meshes, const std::string& dir,
                      const std::string& restart) {
  Scene before = load_scene(scene_file(dir));
  take_over_harmless(scene, before);
  const MeshCopies old_meshes = read_meshes(before);
  check_same_meshes(dir, old_meshes, meshes, restart);
  std::istringstream old_text(to_toml(with_copies(before, old_meshes))), new_text(to_toml(with_copies(scene, meshes)));
  std::string old_line, new_line;
  for (;;) {
    const bool more_old = bool(std::getline(old_text, old_line));
    const bool more_new = bool(std::getline(new_text, new_line));
    if (!more_old && !more_new) return;
    if (more_old && more_new && old_line == new_line) continue;
    throw RunError(fmt::format(
        "cannot resume {}: its scene says \"{}\", this one says \"{}\"; give the scene of the run ({}), or {}", dir,
        more_old ? old_line : "(nothing more)", more_new ? new_line : "(nothing more)", scene_file(dir), restart));
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
[[noreturn]] void fail_outside(const RunError& error, const RunOptions& options) {
  throw RunError(fmt::format("{}\nto continue from the last checkpoint: {}", error.what(), resume_command(options)));
}

// Save the world before a step that failed; the answer says where.
std::string save_failed(const RunOptions& options, const World& world, const Workspace& work,
                        const std::string& scene_text) {
  const std::string& dir = options.dir;
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
  return kept;
}

[[noreturn]] void fail_for_memory(const RunOptions& options, const World& world, const std::string& kept) {
  throw MemoryError(fmt::format(
      "out of memory after frame {}, step {}; a lower domain.resolution or larger edges of bodies need less "
      "memory\n{}\nto continue where more memory is free: {}",
      world.clock.frame, world.clock.step, kept, resume_command(options)));
}

// Where a resumed run starts.
struct Start {
  std::optional<CheckpointState> from;  // none: at the beginning
  std::string last;                     // the newest whole checkpoint of a frame or step, if any
};

// The state before the failing step, or else the newest checkpoint.
Start find_start(const std::string& dir, const std::function<void(const std::string&)>& warn) {
  Start start{newest_checkpoint(dir, warn), ""};
  if (start.from) start.last = start.from->path;
  if (!std::filesystem::exists(failed_checkpoint_file(dir))) return start;
  CheckpointState failed = inspect_checkpoint(failed_checkpoint_file(dir));
  if (failed.damage.empty())
    start.from = std::move(failed);
  else
    warn(fmt::format("{} is left out: {}", failed.path, failed.damage));
  return start;
}

// The checkpoints of a run: the newest two, at the end of frames and by the clock.
class Checkpoints {
 public:
  Checkpoints(const RunOptions& options, std::string scene_text, const Start& start)
      : options_(options),
        scene_text_(std::move(scene_text)),
        last_(start.last),
        failed_(start.from && start.from->path == failed_checkpoint_file(options.dir)),
        step_(start.from ? start.from->clock.step : 0) {}

  // By the clock; or a state that failed before has been left behind.
  bool due() const {
    return failed_ || (options_.checkpoint_minutes > 0 && seconds_since(written_) >= 60 * options_.checkpoint_minutes);
  }
  void write(const World& world, FrameDone frame_done) {
    last_ = write_checkpoint(options_.dir, world, scene_text_, frame_done, last_);
    remove_all(failed_checkpoint_file(options_.dir));
    failed_ = false;
    written_ = std::chrono::steady_clock::now();
    step_ = world.clock.step;
  }
  std::string last_text() const {
    return last_.empty() ? "there is no checkpoint yet" : "the last checkpoint is " + last_;
  }
  // Whether the state is kept already, or is the scene's start.
  bool holds(const World& world) const { return step_ == world.clock.step; }

 private:
  const RunOptions& options_;
  std::string scene_text_, last_;
  bool failed_;
  std::int64_t step_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

constexpr auto between_looks = std::chrono::milliseconds(100);  // at what a paused run is asked

RunEnd run_logged(const Scene& scene, const RunOptions& options,
                  const std::function<void(const StepReport&, const World&)>& on_step, RunLog& log) {
  const std::string& dir = options.dir;
  const auto say = [&](const std::string& text) {
    log.line(text);
    if (options.say) options.say(text);
  };
  const auto warn = [&](const std::string& text) {
    log.line("warning: " + text);
    if (options.warn) options.warn(text);
  };

  // 1. Check and lock the directory.
  refuse(directory_state(dir), options);
  make_directories(dir);
  const RunLock lock(dir);
  MeshCopies meshes = read_meshes(scene);
  const bool known = options.resume && std::filesystem::exists(scene_file(dir));
  if (known) check_same_scene(scene, meshes, dir, "start again with --overwrite");
  clear_control(dir);
  std::optional<RunControl> control;
  if (options.control) control.emplace(dir);

  // 2. Load the last state, or start from the scene.
  log.line(fmt::format("{} {}: {}", options.resume ? "resume" : "run", dir, one_line(scene.title, longest_title)));
  const Start start = known ? find_start(dir, warn) : Start{};
  if (start.from) {
    const Clock& clock = start.from->clock;
    if (clock.frame >= scene.time.frames) {
      say(fmt::format("the run in {} is complete: {} frames", dir, clock.frame));
      return RunEnd::was_done;
    }
    say(fmt::format("resuming after frame {}, step {}", clock.frame, clock.step));
  } else if (options.resume) {
    if (!checkpoint_files(dir).empty())
      throw RunError(fmt::format("no checkpoint of {} can be read; to start again: {}", dir,
                                 restart_command(dir, options.program)));
    say("no checkpoint yet: starting from the beginning");
  }
  if (!options.force_memory) require_memory(scene);
  const SimulationOptions logged{.threads = 0, .log = say};
  Simulation simulation = start.from ? Simulation::resume(scene, start.from->path, logged) : Simulation(scene, logged);
  const World& world = simulation.state().world;  // its fluid may be on a GPU: simulation.world() fetches it
  const Workspace& work = simulation.state().work;
  if (options.overwrite) clear_run(dir);
  log.open(log_file(dir));
  write_meshes(dir, meshes);
  const std::string scene_text = to_toml(with_copies(scene, meshes));
  const std::string scene_in_checkpoint = to_toml(with_copies(scene, meshes, "../"));
  meshes.clear();
  write_atomically(scene_file(dir), scene_text);
  if (options.expectations.empty())
    remove_all(expect_file_of(scene_file(dir)));
  else
    write_atomically(expect_file_of(scene_file(dir)), to_toml(options.expectations));
  cut_back(stats_file(dir), world.clock.step);
  cut_back(probes_file(dir), world.clock.step);
  StepFiles files(scene, dir);

  Background files_of_frames;
  const Later later = [&](std::function<void()> task) { files_of_frames.later(std::move(task)); };
  if (world.clock.step == 0) write_frame(dir, scene, simulation.world(), work, later);

  if (control)
    say(fmt::format("to pause or stop it in the browser: {} view {} --control", quoted(options.program), quoted(dir)));

  // 3. Advance step by step.
  const auto stopped = [&] { return (options.stop && options.stop->load() > 0) || (control && control->stop()); };
  const auto enter = [&](RunPhase phase) {
    if (options.on_phase) options.on_phase(phase, world);
  };
  Checkpoints checkpoints(options, scene_in_checkpoint, start);
  bool frame_done = true, stepping = false;
  const auto keep_state = [&] {
    files_of_frames.wait();  // a resumed run needs all frames before its checkpoint
    if (!checkpoints.holds(world)) checkpoints.write(simulation.world(), frame_done ? FrameDone::yes : FrameDone::no);
  };
  const auto look_at_control = [&] {
    control->look();
    if (!control->paused() || stopped()) return;
    enter(RunPhase::paused);
    keep_state();  // a pause may be long, and end with a kill or a power cut
    log.line(fmt::format("paused after frame {}, step {}", world.clock.frame, world.clock.step));
    const auto start = std::chrono::steady_clock::now();
    while (control->paused() && !stopped()) {
      std::this_thread::sleep_for(between_looks);
      control->look();
    }
    log.line(fmt::format("the pause has ended after {}", duration_text(seconds_since(start))));
    enter(RunPhase::stepping);
  };
  enter(RunPhase::stepping);
  while (!simulation.done()) {
    try {
      if (control) look_at_control();
      if (stopped()) {
        keep_state();
        log.line(fmt::format("stopped after frame {}, step {}", world.clock.frame, world.clock.step));
        return RunEnd::stopped;
      }
      const int frame = world.clock.frame;
      stepping = true;
      const StepReport report = simulation.step();
      stepping = false;
      frame_done = world.clock.frame != frame;
      files.add(report);
      for (const std::string& note : report.notes) log.line(fmt::format("step {}: {}", report.step, note));
      if (on_step) on_step(report, world);
      if (frame_done) {
        const std::string headline = report.headline();
        log.line(fmt::format("frame {}/{}: {:.4f} s, step {}{}{}", world.clock.frame, scene.time.frames,
                             world.clock.time, world.clock.step, headline.empty() ? "" : ", ", headline));
        files_of_frames.wait();  // for the previous frame
        write_frame(dir, scene, simulation.world(), work, later);
      }
      const bool due = frame_done && world.clock.frame % scene.output.checkpoint_every == 0;
      if (due || simulation.done() || checkpoints.due()) {
        files_of_frames.wait();  // a resumed run needs all frames before its checkpoint
        checkpoints.write(simulation.world(), frame_done ? FrameDone::yes : FrameDone::no);
      }
    } catch (const StepError& error) {
      throw StepError(fmt::format("{}\n{}\nto repeat the failing step: {}", error.what(),
                                  save_failed(options, simulation.world(), work, scene_in_checkpoint),
                                  resume_command(options)));
    } catch (const DeviceMemoryError& error) {
      if (!stepping) fail_outside(error, options);
      files_of_frames.wait();  // the world is as before the step
      throw RunError(fmt::format("{}\n{}\nto go on on the processor: {} --backend cpu", error.what(),
                                 save_failed(options, simulation.world(), work, scene_in_checkpoint),
                                 resume_command(options)));
    } catch (const RunError& error) {
      fail_outside(error, options);
    } catch (const std::bad_alloc&) {
      std::string kept = checkpoints.last_text();
      if (stepping) try {  // the world is as before the step
          files_of_frames.wait();
          kept = save_failed(options, simulation.world(), work, scene_in_checkpoint);
        } catch (const std::bad_alloc&) {  // then the last checkpoint must do
        }
      fail_for_memory(options, world, kept);
    }
  }
  files_of_frames.wait();
  log.line("done");
  return RunEnd::done;
}

}  // namespace

bool is_complete(const std::string& dir, int frames) {
  if (std::filesystem::exists(failed_checkpoint_file(dir))) return false;
  const std::optional<CheckpointState> newest = newest_checkpoint(dir);
  return newest && newest->clock.frame >= frames;
}

std::string run_state(const std::string& dir, int frames) {
  if (is_being_written(dir)) return "running";
  if (std::filesystem::exists(failed_checkpoint_file(dir))) return "failed";
  return is_complete(dir, frames) ? "complete" : "interrupted";
}

void require_same_scene(const Scene& scene, const std::string& dir, const std::string& restart) {
  check_same_scene(scene, read_meshes(scene), dir, restart);
}

std::string restart_command(const std::string& dir, const std::string& program) {
  return fmt::format("{} run {} -o {} --overwrite", quoted(program), quoted(scene_file(dir)), quoted(dir));
}

std::string resume_command(const std::string& dir, const std::string& program) {
  return fmt::format("{} run {} -o {} --resume", quoted(program), quoted(scene_file(dir)), quoted(dir));
}

std::string resume_command(const RunOptions& options) {
  return resume_command(options.dir, options.program) + (options.force_memory ? " --force-memory" : "") +
         (options.control ? " --control" : "");
}

RunEnd run(const Scene& scene, const RunOptions& options,
           const std::function<void(const StepReport&, const World&)>& on_step) {
  RunLog log;
  try {
    return run_logged(scene, options, on_step, log);
  } catch (const std::exception& error) {
    try {
      const bool memory = dynamic_cast<const std::bad_alloc*>(&error);
      log.line(fmt::format("error: {}", memory ? "out of memory" : error.what()));
    } catch (const RunError&) {  // the disk that the run could not write to
    }
    throw;
  }
}

}  // namespace coracle
