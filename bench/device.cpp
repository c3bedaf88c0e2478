// The pressure solve and whole steps on a GPU, with the processor beside it.
#include "bench/dam_around_ball.h"
#include "bench/step_timing.h"
#include "coracle/backend.h"
#include "coracle/error.h"

#include <fmt/format.h>
#include <tbb/info.h>

namespace coracle::bench {
namespace {

// The required bounds of a solve to 1e-10 on the device, without copies to it.
constexpr double most_solve_100 = 2.5e-3, most_solve_256 = 18e-3;  // s

constexpr Backend backends[] = {Backend::cpu, Backend::cuda};
const char* name_of(Backend backend) { return backend == Backend::cpu ? "cpu" : "cuda"; }

void solves(Results& results) {
  for (const int n : {64, 100, 128, 200, 256}) {
    progress(fmt::format("pressure alone, {}³", n));
    const DamAroundBall dam(n);
    double seconds[2];
    for (const Backend backend : backends) {
      const FormRun best = dam.solve({.place = {}, .backend = backend, .tolerance = 1e-10});
      seconds[int(backend)] = best.report.solve_s;
      results.rows.push_back({std::string("pressure/") + name_of(backend),
                              n,
                              {{"unknowns", double(best.report.unknowns)},
                               {"iterations", double(best.report.iterations)},
                               {"setup_s", best.report.setup_s},
                               {"solve_s", best.report.solve_s},
                               {"cpu/this", seconds[0] / best.report.solve_s},
                               {"residual", best.residual}}});
    }
    if (n == 100) results.require_at_most(most_solve_100, "s of a solve at 100³ on the device", seconds[1]);
    if (n == 256) results.require_at_most(most_solve_256, "s of a solve at 256³ on the device", seconds[1]);
  }
}

// Whole steps of a scene from a time on.
struct Subject {
  const char* scene;
  int resolution;
  double from;    // s
  double most_s;  // per step on the device
};
constexpr Subject subjects[] = {
    {"dam_break", 100, 0.25, 16e-3}, {"buoyancy", 100, 0.25, 40e-3}, {"dam_break", 256, 0.03, 160e-3}};

void steps(Results& results) {
  for (const Subject& s : subjects) {
    double cpu_s = 0;
    for (const Backend backend : backends) {
      progress(fmt::format("{}, {}³, {}", s.scene, s.resolution, name_of(backend)));
      Scene scene = scene_at(s.scene, s.resolution);
      scene.solver.backend = backend;
      World world = build_world(scene);
      Workspace work;
      start(scene, world, work);
      const Timing t = time_steps(scene, world, work, s.from);
      if (backend == Backend::cpu) cpu_s = t.step_s;
      results.rows.push_back({fmt::format("{}/{}", s.scene, name_of(backend)),
                              s.resolution,
                              {{"step_s", t.step_s},
                               {"cpu/this", cpu_s / t.step_s},
                               {"particles", t.particles},
                               {"unknowns", t.unknowns},
                               {"iterations", t.iterations},
                               {"stages", t.stages},
                               {"projection", t.projection}}});
      if (backend == Backend::cuda)
        results.require_at_most(s.most_s, fmt::format("s per step of {} at {}³ on the device", s.scene, s.resolution),
                                t.step_s);
    }
  }
}

// The largest grid that one card of 140 GB is asked to hold; without the processor beside it.
void large(Results& results) {
  const int n = 512;
  progress(fmt::format("dam_break, {}³: the world", n));
  Scene scene = scene_at("dam_break", n);
  scene.solver.backend = Backend::cuda;
  const auto begin = Clock::now();
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  const double start_s = seconds_since(begin);
  progress(fmt::format("dam_break, {}³: steps", n));
  constexpr int few = 3;
  const Timing t = time_steps(scene, world, work, 0, few);
  results.rows.push_back({"dam_break/cuda",
                          n,
                          {{"start_s", start_s},
                           {"step_s", t.step_s},
                           {"particles", t.particles},
                           {"unknowns", t.unknowns},
                           {"iterations", t.iterations},
                           {"host_peak_mb", peak_memory_mb()},
                           {"stages", t.stages},
                           {"projection", t.projection}}});
}

// Measures by `f` where there is a device.
template <class F>
Results on_device(F&& f) {
  Results results;
  try {
    require_backend(Backend::cuda);
  } catch (const RunError& error) {
    results.notes.push_back(fmt::format("nothing was measured: {}", error.what()));
    return results;
  }
  results.notes.push_back(
      fmt::format("{}; processor: {} threads", device_name(Backend::cuda), tbb::info::default_concurrency()));
  f(results);
  return results;
}

}  // namespace

Results device() { return on_device(solves); }
Results device_steps() { return on_device(steps); }
Results device_large() { return on_device(large); }

}  // namespace coracle::bench
