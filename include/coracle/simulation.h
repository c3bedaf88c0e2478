// A simulation as an object: it owns the scene, the world and all memory of the solvers. The command line, programs and
// Python use it.
//
//     coracle::Simulation sim(coracle::load_scene("scene.toml"));
//     while (!sim.done()) sim.frame();
//
// Nothing here aborts or prints. Wrong input throws SceneError, a file that cannot be used RunError, a step that
// cannot be done StepError, and a bug in coracle InternalError. Warnings go to the log.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/world.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

struct SimulationOptions {
  int threads = 0;                              // 0: all cores; results do not depend on it
  std::function<void(const std::string&)> log;  // receives warnings, one line each; empty: they are dropped
};

class Simulation {
 public:
  // Starts at time zero. The scene may come from a file or be built in code. Throws SceneError with every problem.
  explicit Simulation(Scene scene, const SimulationOptions& options = {});
  // Continues from a file that save() or a run has written. Results are the same to the last bit.
  static Simulation resume(const std::string& checkpoint, const SimulationOptions& options = {});
  // The same with a given scene, which may differ in its number of frames and in its output.
  static Simulation resume(Scene scene, const std::string& checkpoint, const SimulationOptions& options = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  const Scene& scene() const;
  // With a GPU it fetches from there what has changed since; until the next step.
  const World& world() const;
  double time() const;  // s
  bool done() const;    // all frames of the scene are finished

  // One step. Its length is chosen automatically, so that a step ends at the end of each frame. Throws StepError if
  // even the shortest step fails; the world is then unchanged.
  StepReport step();
  // Steps to the end of the next frame.
  void frame(const std::function<void(const StepReport&)>& on_step = {});

  // What a program may set between steps; it holds until it is set again, and checkpoints keep it. Throw
  // std::invalid_argument for wrong names, which says those that exist, and for numbers that mean nothing.
  void set_force(const std::string& body, std::vector<Vec3> force);  // N per node; empty: none
  void set_flow(const std::string& inflow, const Vec3& velocity);    // m/s, of an inflow or a jet
  // Moves the nodes of a hold of the body, counted from zero, from where they are by `way` (m) within `seconds`. This
  // is added to the motions that the scene gives it.
  void move_hold(const std::string& body, int hold, const Vec3& way, double seconds);
  // The activation of a muscle, from 0 to 1, instead of its waveform; none: by its waveform again.
  void set_activation(const std::string& body, const std::string& muscle, std::optional<double> value);

  // Names of StepReport::probes.
  std::vector<std::string> probe_columns() const;
  // Writes the current state to dir/frames under the number of the last finished frame, as `coracle run` does at the
  // end of a frame. Frames that output.every leaves out are not written.
  void write_frame(const std::string& dir) const;
  // Writes the state, for resume().
  void save(const std::string& checkpoint) const;

  struct State;  // for the library's own sources
  State& state() { return *state_; }

 private:
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace coracle
