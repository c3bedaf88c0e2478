// The pressure solve and whole steps on a GPU, with the processor beside it.
#include "bench/dam_around_ball.h"
#include "coracle/backend.h"
#include "coracle/error.h"
#include "coracle/scene/scenes.h"
#include "coracle/simulation.h"

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
      const FormRun best = dam.solve({.backend = backend, .tolerance = 1e-10});
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

// Means over the steps of a quarter of a second of dam_break after the first.
void steps(Results& results) {
  for (const int n : {100, 160}) {
    progress(fmt::format("dam_break, {}³", n));
    for (const Backend backend : backends) {
      Scene scene = load_scene(find_scene("dam_break"), {{"domain.resolution", std::to_string(n)}});
      scene.solver.backend = backend;
      Simulation sim(scene);
      for (int f = 0; f < 6; ++f) sim.frame();
      int count = 0;
      double projection = 0, iterations = 0;
      const auto start = Clock::now();
      for (int f = 0; f < 4; ++f)
        sim.frame([&](const StepReport& r) {
          ++count;
          iterations += r.solver.iterations;
          for (const auto& [stage, seconds] : r.stages.seconds())
            if (stage == "projection") projection += seconds;
        });
      results.rows.push_back({std::string("dam_break/") + name_of(backend),
                              n,
                              {{"steps", double(count)},
                               {"step_s", seconds_since(start) / count},
                               {"projection_s", projection / count},
                               {"iterations", iterations / count}}});
    }
  }
}

}  // namespace

Results device() {
  Results results;
  try {
    require_backend(Backend::cuda);
  } catch (const RunError& error) {
    results.notes.push_back(fmt::format("nothing was measured: {}", error.what()));
    return results;
  }
  results.notes.push_back(
      fmt::format("{}; processor: {} threads", device_name(Backend::cuda), tbb::info::default_concurrency()));
  solves(results);
  steps(results);
  return results;
}

}  // namespace coracle::bench
