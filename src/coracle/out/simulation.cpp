#include "coracle/simulation.h"

#include "coracle/error.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/frames.h"
#include "coracle/out/simulation_state.h"
#include "coracle/scene/check_fields.h"
#include "coracle/scene/fluid_summary.h"
#include "coracle/scene/layers.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/contact/contact_start.h"
#include "coracle/world/animation_warnings.h"
#include "coracle/world/build.h"
#include "coracle/world/empty_regions.h"
#include "coracle/world/overlap.h"
#include "coracle/world/surface.h"

namespace coracle {
namespace {

// Validates the scene; makes solids, bodies and an empty fluid.
std::unique_ptr<Simulation::State> build(Scene scene, const SimulationOptions& options) {
  if (std::vector<Problem> problems = validate(scene); !problems.empty()) throw SceneError(std::move(problems));
  require_backend(scene.solver.backend);
  make_files_absolute(scene);  // the scene may be read again from elsewhere
  auto state = std::make_unique<Simulation::State>();
  if (options.threads > 0) state->threads = std::make_unique<ThreadLimit>(options.threads);
  state->scene = std::move(scene);
  if (options.log)
    for (const std::string& note : large_bodies(state->scene)) options.log(note);
  state->world = build_world(state->scene);
  if (auto problems = overlap_problems(state->world.solids, state->world.bodies); !problems.empty())
    throw SceneError(std::move(problems));
  if (auto problems = barrier_problems(state->scene, state->world); !problems.empty())
    throw SceneError(std::move(problems));
  if (options.log)
    for (const std::string& word : animation_warnings(state->scene, state->world.solids))
      options.log("warning: " + word);
  if (options.log && has_fluid(state->scene)) {
    const Grid grid = scene_grid(state->scene.domain);
    if (is_on_grid(state->scene))
      for (const std::string& word : thin_bodies(grid, state->world.bodies, fluid_name(state->scene)))
        options.log("warning: " + word);
    for (const std::string& note : fluid_notes(state->scene, grid)) options.log("note: " + note);
  }
  return state;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Simulation(Scene scene, const SimulationOptions& options) : state_(build(std::move(scene), options)) {
  start(state_->scene, state_->world, state_->work);
  if (options.log)
    for (const std::string& word : empty_regions(state_->scene, state_->world)) options.log("warning: " + word);
}

Simulation Simulation::resume(Scene scene, const std::string& checkpoint, const SimulationOptions& options) {
  std::unique_ptr<State> state = build(std::move(scene), options);
  read_checkpoint(checkpoint, state->world);
  derive(state->scene, state->world, state->work);
  return Simulation(std::move(state));
}

Simulation Simulation::resume(const std::string& checkpoint, const SimulationOptions& options) {
  return resume(parse_scene(read_checkpoint_scene(checkpoint), checkpoint), checkpoint, options);
}

const Scene& Simulation::scene() const { return state_->scene; }
const World& Simulation::world() const {
  bring_home(state_->world, state_->work);
  return state_->world;
}
double Simulation::time() const { return state_->world.clock.time; }
bool Simulation::done() const { return state_->world.clock.frame >= state_->scene.time.frames; }

StepReport Simulation::step() { return advance_step(state_->scene, state_->world, state_->work); }

void Simulation::frame(const std::function<void(const StepReport&)>& on_step) {
  advance_frame(state_->scene, state_->world, state_->work, [&](const StepReport& report) {
    if (on_step) on_step(report);
  });
}

std::vector<std::string> Simulation::probe_columns() const { return coracle::probe_columns(state_->scene); }

void Simulation::write_frame(const std::string& dir) const {
  coracle::write_frame(dir, state_->scene, world(), state_->work, [](const std::function<void()>& task) { task(); });
}

void Simulation::save(const std::string& checkpoint) const {
  write_checkpoint_file(checkpoint, world(), to_toml(state_->scene));
}

}  // namespace coracle
