// A run that was stopped and resumed leaves the bits that an undisturbed one leaves.
#include "../out/temporary_directory.h"

#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/run.h"
#include "coracle/out/run_control.h"
#include "coracle/simulation.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace coracle {
namespace {

Scene dam_break(int frames = 6) {
  const std::string text = R"(
title = "dam break of the resume test"
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 0.5]
resolution = 16
[time]
frames = )" + std::to_string(frames) +
                           R"(
fps = 24.0
[[liquid.region]]
shape = "box"
center = [0.2, 0.3, 0.25]
size = [0.4, 0.6, 0.5]
[[solid]]
name = "post"
shape = "box"
center = [0.7, 0.15, 0.25]
size = [0.11, 0.3, 0.13]
[[solid.motion]]
type = "oscillation"
amplitude = [0.03, 0.0, 0.0]
frequency = 2.0
[[probe]]
name = "wall"
type = "pressure"
point = [0.03, 0.03, 0.25]
[output]
particles = true
checkpoint_every = 2
)";
  return parse_scene(text, "resume_test.toml");
}

// Two balls and a moving plate that meet, part and meet again.
Scene soft_bodies() {
  return parse_scene(R"(
[domain]
resolution = 10
[time]
frames = 6
fps = 24.0
max_dt = 0.01
[[body]]
name = "low"
shape = "sphere"
center = [0.5, 0.13, 0.5]
radius = 0.12
edge = 0.07
young = 2e4
[[body]]
name = "high"
shape = "sphere"
center = [0.52, 0.4, 0.5]
radius = 0.12
edge = 0.07
young = 2e4
velocity = [0.0, -1.0, 0.0]
[[solid]]
name = "plate"
shape = "box"
center = [0.2, 0.3, 0.5]
size = [0.1, 0.5, 0.5]
[[solid.motion]]
type = "velocity"
velocity = [0.5, 0.0, 0.0]
[[probe]]
name = "wall"
type = "pressure"
point = [0.03, 0.03, 0.25]
[output]
checkpoint_every = 2
)",
                     "resume_bodies.toml");
}

// A ball that falls into water, and a shell full of water that spins and falls with it.
Scene wet_bodies() {
  return parse_scene(R"(
[domain]
resolution = 16
[time]
frames = 6
fps = 48.0
[[liquid.region]]
shape = "box"
min = [0.0, 0.0, 0.0]
max = [1.0, 0.25, 1.0]
[[liquid.region]]
shape = "sphere"
center = [0.62, 0.6, 0.5]
radius = 0.22
[[body]]
name = "shell"
shape = "hollow_sphere"
center = [0.62, 0.6, 0.5]
radius = 0.3
thickness = 0.14
edge = 0.08
young = 5e5
velocity = [0.0, -1.0, 0.0]
spin = [0.0, 0.0, 3.0]
[[body]]
name = "ball"
shape = "sphere"
center = [0.16, 0.3, 0.5]
radius = 0.13
edge = 0.08
density = 600
[[probe]]
name = "floor"
type = "pressure"
point = [0.5, 0.03, 0.5]
[output]
checkpoint_every = 2
)",
                     "resume_wet.toml");
}

// A noisy jet that ends, a source, a body and a moving post in gas.
Scene smoke() {
  return parse_scene(R"(
[domain]
resolution = 14
open = ["x_max", "y_max"]
[time]
frames = 6
fps = 24.0
[gas]
confinement = 0.3
smoke_decay = 0.2
[[jet]]
name = "nozzle"
shape = "box"
min = [0.1, 0.4, 0.4]
max = [0.25, 0.6, 0.6]
velocity = [1.5, 0.0, 0.0]
noise = 0.2
end = 0.2
[[jet]]
name = "fire"
shape = "sphere"
center = [0.7, 0.15, 0.3]
radius = 0.12
temperature = 80
[[solid]]
name = "post"
shape = "box"
center = [0.8, 0.3, 0.7]
size = [0.11, 0.6, 0.13]
[[solid.motion]]
type = "oscillation"
amplitude = [0.05, 0.0, 0.0]
frequency = 2.0
[[body]]
name = "block"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.15, 0.3, 0.3]
mesh = "grid5"
cells = [1, 2, 2]
density = 20
young = 1e4
[[probe]]
name = "middle"
type = "pressure"
point = [0.35, 0.5, 0.5]
[output]
checkpoint_every = 2
)",
                     "resume_smoke.toml");
}

Scene by_whole_faces(Scene scene) {
  scene.method = Method::simultaneous;
  scene.elastic.integrator = Integrator::trapezoidal;
  return scene;
}

Scene with_barrier(Scene scene) {
  scene.contact.kind = ContactKind::barrier;
  scene.elastic.newton = true;
  scene.elastic.tolerance = 1e-3;
  return scene;
}

RunOptions into(const std::string& dir, bool resume = false) {
  RunOptions options;
  options.dir = dir;
  options.resume = resume;
  return options;
}

// Stops as a crash would, in the middle of frame 5.
void run_and_crash(const Scene& scene, const std::string& dir) {
  EXPECT_THROW(run(scene, into(dir),
                   [&](const StepReport& report, const World&) {
                     if (report.time > 4.001 / scene.time.fps) throw std::logic_error("crash");
                   }),
               std::logic_error);
}

// stats.jsonl without what a clock or the system's memory says.
std::vector<nlohmann::json> timeless_stats(const std::string& dir) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(read_file(dir + "/stats.jsonl"));
  for (std::string line; std::getline(text, line);) {
    nlohmann::json object = nlohmann::json::parse(line);
    object.erase("memory_mb");
    for (auto& [stage, seconds] : object["stages"].items()) seconds = 0;
    for (const char* key : {"setup_s", "solve_s", "bodies_s"}) object["solver"].erase(key);
    lines.push_back(std::move(object));
  }
  return lines;
}

void expect_same_run(const std::string& a, const std::string& b) {
  const auto frames_a = files_in(a + "/frames"), frames_b = files_in(b + "/frames");
  EXPECT_GT(frames_a.size(), 6u);
  ASSERT_EQ(frames_a.size(), frames_b.size());
  for (const auto& [name, bytes] : frames_a) {
    ASSERT_TRUE(frames_b.contains(name)) << name;
    EXPECT_TRUE(bytes == frames_b.at(name)) << name << " differs";
  }
  for (const char* file : {"/checkpoints/checkpoint.0006.h5", "/probes.csv", "/scene.toml"})
    EXPECT_TRUE(read_file(a + file) == read_file(b + file)) << file << " differs";
  EXPECT_EQ(timeless_stats(a), timeless_stats(b));
}

TEST(Resume, a_stopped_and_resumed_run_leaves_the_same_bits) {
  for (const Scene& scene : {dam_break(), soft_bodies(), wet_bodies(), smoke(), by_whole_faces(wet_bodies()),
                             by_whole_faces(smoke()), with_barrier(soft_bodies()), with_barrier(wet_bodies())}) {
    const TemporaryDirectory dir;
    EXPECT_EQ(run(scene, into(dir / "straight"), {}), RunEnd::done);
    run_and_crash(scene, dir / "broken");
    double earliest = 1e30;
    const auto listen = [&](const StepReport& report, const World&) { earliest = std::min(earliest, report.time); };
    EXPECT_EQ(run(scene, into(dir / "broken", true), listen), RunEnd::done);
    EXPECT_GT(earliest, 4.0 / scene.time.fps);  // it went on from the checkpoint of frame 4
    expect_same_run(dir / "straight", dir / "broken");
  }
}

TEST(Resume, one_and_two_threads_leave_the_same_bits) {
  for (const Scene& scene : {dam_break(), soft_bodies(), wet_bodies(), smoke(), by_whole_faces(wet_bodies()),
                             by_whole_faces(smoke()), with_barrier(soft_bodies()), with_barrier(wet_bodies())}) {
    const TemporaryDirectory dir;
    for (const int threads : {1, 2}) {
      const ThreadLimit limit(threads);
      run(scene, into(dir / std::to_string(threads)), {});
    }
    expect_same_run(dir / "1", dir / "2");
  }
}

TEST(Resume, a_pocket_of_water_is_the_same_one_after_the_run_was_resumed) {
  const TemporaryDirectory dir;
  const Scene scene = wet_bodies();
  double before = 0, after = 0;
  EXPECT_THROW(run(scene, into(dir / "run"),
                   [&](const StepReport& report, const World& world) {
                     ASSERT_EQ(liquid_of(world).pockets.size(), 1u) << report.step;
                     before = liquid_of(world).pockets[0].volume;
                     if (report.time > 4.001 / scene.time.fps) throw std::logic_error("crash");
                   }),
               std::logic_error);
  EXPECT_EQ(run(scene, into(dir / "run", true),
                [&](const StepReport& report, const World& world) {
                  ASSERT_EQ(liquid_of(world).pockets.size(), 1u) << report.step;
                  after = liquid_of(world).pockets[0].volume;
                  EXPECT_EQ(after, before);
                }),
            RunEnd::done);
  EXPECT_GT(after, 0);
}

TEST(Resume, a_run_can_be_made_longer) {
  const TemporaryDirectory dir;
  run(dam_break(6), into(dir / "straight"), {});
  run(dam_break(3), into(dir / "grown"), {});
  EXPECT_EQ(run(dam_break(6), into(dir / "grown", true), {}), RunEnd::done);
  expect_same_run(dir / "straight", dir / "grown");
}

// Three steps per frame at least.
Scene in_short_steps(Scene scene) {
  scene.time.max_dt = 0.4 / scene.time.fps;
  return scene;
}

TEST(Resume, a_run_stopped_within_a_frame_goes_on_to_the_same_bits) {
  for (const Scene& plain : {dam_break(), soft_bodies(), wet_bodies(), smoke(), by_whole_faces(smoke())}) {
    const Scene scene = in_short_steps(plain);
    const TemporaryDirectory dir;
    run(scene, into(dir / "straight"), {});
    std::atomic<int> stop = 0;
    RunOptions options = into(dir / "stopped");
    options.stop = &stop;
    std::int64_t last = 0;
    const auto stop_in_third = [&](const StepReport& report, const World& world) {
      EXPECT_EQ(stop, 0) << "no step after the signal";
      if (world.clock.frame == 2 && report.time > 2.001 / scene.time.fps) stop = 1;
      last = report.step;
    };
    EXPECT_EQ(run(scene, options, stop_in_third), RunEnd::stopped);
    const std::optional<CheckpointState> kept = newest_checkpoint(dir / "stopped");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->clock.step, last);
    EXPECT_EQ(kept->clock.frame, 2);
    EXPECT_EQ(run(scene, into(dir / "stopped", true), {}), RunEnd::done);
    expect_same_run(dir / "straight", dir / "stopped");
  }
}

// Asks a run with --control for something from another thread, as the viewer's server does.
class Asking {
 public:
  explicit Asking(const std::function<void()>& ask) : thread_(ask) {}
  ~Asking() { thread_.join(); }
  static void wait_for(const std::function<bool()>& is) {
    for (int i = 0; i < 600 && !is(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(is());
  }

 private:
  std::thread thread_;
};

double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

TEST(Resume, a_run_that_was_paused_leaves_the_same_bits_and_rests_meanwhile) {
  for (const Scene& plain : {dam_break(), wet_bodies(), smoke()}) {
    const Scene scene = in_short_steps(plain);
    const TemporaryDirectory dir;
    run(scene, into(dir / "straight"), {});
    const std::string paused = dir / "paused";
    RunOptions options = into(paused);
    options.control = true;
    long pauses = 0, steps = 0, steps_then = 0;
    options.on_phase = [&](RunPhase phase, const World&) {
      if (phase == RunPhase::paused) ++pauses, steps_then = steps;
    };
    {
      std::optional<Asking> asking;
      EXPECT_EQ(run(scene, options,
                    [&](const StepReport&, const World&) {
                      if (++steps == 5) {
                        ask_run(paused, ControlRequest::pause);
                        asking.emplace([&] {
                          Asking::wait_for([&] { return control_state(paused) && control_state(paused)->paused; });
                          std::this_thread::sleep_for(std::chrono::milliseconds(300));  // frames are written to the end
                          const double before = processor_seconds();
                          std::this_thread::sleep_for(std::chrono::seconds(1));
                          EXPECT_LT(processor_seconds() - before, 0.2) << "a second of waiting";
                          ask_run(paused, ControlRequest::go_on);
                        });
                      }
                    }),
                RunEnd::done);
    }
    EXPECT_EQ(pauses, 1);
    EXPECT_EQ(steps_then, 5) << "between two steps";
    expect_same_run(dir / "straight", paused);
    EXPECT_FALSE(std::filesystem::exists(paused + "/control"));
    const std::string log = read_file(paused + "/run.log");
    for (const char* words :
         {"to pause or stop it in the browser: coracle view", "paused after frame", "the pause has ended"})
      EXPECT_NE(log.find(words), std::string::npos) << words << "\n" << log;
  }
}

TEST(Resume, a_paused_run_still_obeys_a_signal_and_a_stop) {
  const Scene scene = in_short_steps(dam_break());
  const TemporaryDirectory dir;
  run(scene, into(dir / "straight"), {});
  std::atomic<int> signal = 0;
  for (const bool by_signal : {true, false}) {
    const std::string stopped = dir / (by_signal ? "by_signal" : "by_stop");
    RunOptions options = into(stopped);
    options.control = true;
    options.stop = &signal;
    long steps = 0;
    {
      std::optional<Asking> asking;
      EXPECT_EQ(run(scene, options,
                    [&](const StepReport&, const World&) {
                      if (++steps != 4) return;
                      ask_run(stopped, ControlRequest::pause);
                      asking.emplace([&] {
                        Asking::wait_for([&] { return control_state(stopped) && control_state(stopped)->paused; });
                        if (by_signal)
                          signal = 1;
                        else
                          ask_run(stopped, ControlRequest::stop);
                      });
                    }),
                RunEnd::stopped);
    }
    signal = 0;
    EXPECT_EQ(steps, 4);
    EXPECT_FALSE(std::filesystem::exists(stopped + "/control"));
    EXPECT_TRUE(resume_command(options).ends_with(" --resume --control"));
    EXPECT_EQ(run(scene, into(stopped, true), {}), RunEnd::done);
    expect_same_run(dir / "straight", stopped);
  }
}

TEST(Resume, a_run_stopped_in_its_first_frame_keeps_its_frame_0) {
  const TemporaryDirectory dir;
  const Scene scene = in_short_steps(dam_break());
  run(scene, into(dir / "straight"), {});
  std::atomic<int> stop = 0;
  RunOptions options = into(dir / "stopped");
  options.stop = &stop;
  EXPECT_EQ(run(scene, options, [&](const StepReport&, const World&) { stop = 1; }), RunEnd::stopped);
  EXPECT_EQ(run(scene, into(dir / "stopped", true), {}), RunEnd::done);
  expect_same_run(dir / "straight", dir / "stopped");
}

TEST(Resume, a_run_stopped_before_its_first_step_starts_again) {
  const TemporaryDirectory dir;
  std::atomic<int> stop = 1;
  RunOptions options = into(dir / "stopped");
  options.stop = &stop;
  EXPECT_EQ(run(dam_break(2), options, {}), RunEnd::stopped);
  EXPECT_TRUE(checkpoint_files(dir / "stopped").empty());
  EXPECT_EQ(run(dam_break(2), into(dir / "stopped", true), {}), RunEnd::done);
}

TEST(Resume, checkpoints_by_the_clock_are_written_within_frames_and_two_are_kept) {
  const TemporaryDirectory dir;
  const Scene scene = in_short_steps(dam_break());
  RunOptions options = into(dir / "run");
  options.checkpoint_minutes = 1e-9;  // after every step
  long within = 0;
  const auto listen = [&](const StepReport& report, const World&) {
    const std::vector<std::string> files = checkpoint_files(dir / "run");
    EXPECT_EQ(files.size(), std::size_t(std::min<std::int64_t>(2, report.step - 1)));
    for (const std::string& file : files) within += file.find(".step") != std::string::npos;
    if (report.time > 2.001 / 24) throw std::logic_error("crash");
  };
  EXPECT_THROW(run(scene, options, listen), std::logic_error);
  EXPECT_GT(within, 0);
  run(scene, into(dir / "straight"), {});
  EXPECT_EQ(run(scene, into(dir / "run", true), {}), RunEnd::done);
  expect_same_run(dir / "straight", dir / "run");
}

TEST(Resume, a_damaged_checkpoint_is_named_and_the_one_before_is_taken) {
  const TemporaryDirectory dir;
  run(dam_break(), into(dir / "straight"), {});
  run_and_crash(dam_break(), dir / "run");
  const std::string newest = dir / "run/checkpoints/checkpoint.0004.h5";
  std::string bytes = read_file(newest);
  bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
  write_atomically(newest, bytes);
  RunOptions options = into(dir / "run", true);
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  double earliest = 1e30;
  const auto listen = [&](const StepReport& report, const World&) { earliest = std::min(earliest, report.time); };
  EXPECT_EQ(run(dam_break(), options, listen), RunEnd::done);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("checkpoint.0004.h5 is left out: it is damaged"), std::string::npos) << warnings[0];
  EXPECT_LT(earliest, 3.5 / 24);  // it went on from the checkpoint of frame 2
  expect_same_run(dir / "straight", dir / "run");
}

TEST(Resume, a_run_without_a_readable_checkpoint_is_not_started_again_unasked) {
  const TemporaryDirectory dir;
  run_and_crash(dam_break(), dir / "run");
  for (const std::string& file : checkpoint_files(dir / "run")) write_atomically(file, "not a checkpoint");
  const auto frames = files_in(dir / "run/frames");
  const std::string stats = read_file(dir / "run/stats.jsonl");
  const std::string message = message_of<RunError>([&] { run(dam_break(), into(dir / "run", true), {}); });
  EXPECT_NE(message.find(restart_command(dir / "run")), std::string::npos) << message;
  EXPECT_TRUE(files_in(dir / "run/frames") == frames);
  EXPECT_EQ(read_file(dir / "run/stats.jsonl"), stats);
}

// Water that falls and soon needs shorter steps than it may take.
Scene failing_scene() {
  Scene scene = dam_break();
  scene.time.min_dt = 0.015;
  return scene;
}

TEST(Resume, a_failed_run_repeats_the_failing_step_first_and_goes_on_from_there) {
  const TemporaryDirectory dir;
  const std::string failed = dir / "run/checkpoints/failed.h5";
  const auto attempt = [&](bool resume, long& steps) {
    return message_of<StepError>(
        [&] { run(failing_scene(), into(dir / "run", resume), [&](const StepReport&, const World&) { ++steps; }); });
  };
  long first = 0, second = 0;
  const std::string message = attempt(false, first);
  EXPECT_NE(message.find(failed), std::string::npos) << message;
  EXPECT_NE(message.find("to repeat the failing step: " + resume_command(dir / "run")), std::string::npos) << message;
  EXPECT_GT(first, 0);
  EXPECT_EQ(read_checkpoint_clock(failed).step, first);
  EXPECT_EQ(attempt(true, second), message);
  EXPECT_EQ(second, 0) << "the failing step is the first one";
  EXPECT_TRUE(std::filesystem::exists(failed)) << "it can be repeated again";
  EXPECT_EQ(Simulation::resume(failed).world().clock.step, first) << "the file alone is enough";
}

TEST(Resume, a_state_that_failed_goes_once_its_step_is_done) {
  const TemporaryDirectory dir;
  EXPECT_THROW(run(failing_scene(), into(dir / "run"), {}), StepError);
  // As if the cause were gone: the same state, with a scene that may take shorter steps.
  write_atomically(dir / "run/scene.toml", to_toml(dam_break()));
  EXPECT_EQ(run(dam_break(), into(dir / "run", true), {}), RunEnd::done);
  EXPECT_FALSE(std::filesystem::exists(dir / "run/checkpoints/failed.h5"));
}

TEST(Resume, camera_look_title_and_colours_may_change) {
  const TemporaryDirectory dir;
  run_and_crash(soft_bodies(), dir / "run");
  Scene other = soft_bodies();
  other.title = "another title";
  other.preset = "film";
  other.camera.fov = 50;
  other.look.tank = TankLook::none;
  other.bodies[0].color = Vec3(1, 0, 0);
  other.bodies[1].opacity = 0.5;
  other.solids[0].color = Vec3(0, 0, 1);
  other.solver.dump = true;
  EXPECT_EQ(run(other, into(dir / "run", true), {}), RunEnd::done);
  EXPECT_EQ(load_scene(dir / "run/scene.toml").title, "another title");
  EXPECT_EQ(load_scene(dir / "run/scene.toml").camera.fov, 50);
}

TEST(Resume, the_log_holds_messages_frames_and_the_error_with_times) {
  const TemporaryDirectory dir;
  run_and_crash(dam_break(), dir / "run");
  run(dam_break(), into(dir / "run", true), {});
  const std::string log = read_file(dir / "run/run.log");
  for (const char* words :
       {"dam break of the resume test", "frame 4/6: 0.1667 s", "error: crash", "resuming after frame 4", "done"})
    EXPECT_NE(log.find(words), std::string::npos) << words << "\n" << log;
  EXPECT_EQ(log.find("  "), std::string("2026-11-16 02:31:36").size()) << "every line starts with date and time";
}

TEST(Resume, a_complete_run_is_left_alone) {
  const TemporaryDirectory dir;
  run(dam_break(2), into(dir / "run"), {});
  const auto before = files_in(dir / "run/frames");
  int steps = 0;
  EXPECT_EQ(run(dam_break(2), into(dir / "run", true), [&](const StepReport&, const World&) { ++steps; }),
            RunEnd::was_done);
  EXPECT_EQ(steps, 0);
  EXPECT_TRUE(files_in(dir / "run/frames") == before);
}

TEST(Resume, another_scene_is_refused_by_its_first_difference) {
  const TemporaryDirectory dir;
  run_and_crash(dam_break(), dir / "run");
  Scene other = dam_break();
  other.domain.resolution = 20;
  const std::string message = message_of<RunError>([&] { run(other, into(dir / "run", true), {}); });
  EXPECT_NE(message.find("resolution"), std::string::npos) << message;
  EXPECT_NE(message.find("20"), std::string::npos) << message;
}

TEST(Resume, without_a_checkpoint_a_run_starts_again) {
  const TemporaryDirectory dir;
  run(dam_break(), into(dir / "straight"), {});
  EXPECT_THROW(
      run(dam_break(), into(dir / "early"), [](const StepReport&, const World&) { throw std::logic_error("crash"); }),
      std::logic_error);
  EXPECT_EQ(run(dam_break(), into(dir / "early", true), {}), RunEnd::done);
  expect_same_run(dir / "straight", dir / "early");
}

}  // namespace
}  // namespace coracle
