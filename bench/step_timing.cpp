#include "bench/step_timing.h"

#include "coracle/scene/scenes.h"

namespace coracle::bench {
namespace {

struct Enough {};

}  // namespace

Timing time_steps(const Scene& scene, World& world, Workspace& work, double from, int steps) {
  Timing t;
  StageTimes stages, projection;
  int count = -1;
  auto start = Clock::now();
  try {
    while (true)
      advance_frame(scene, world, work, [&](const StepReport& r) {
        if (r.time < from) return;
        if (++count == 0) start = Clock::now();  // the steps after this one
        if (count == 0) return;
        t.particles = double(r.liquid().particles);
        t.unknowns = double(r.solver.unknowns);
        t.iterations += double(r.solver.iterations) / steps;
        for (const auto& [name, seconds] : r.stages.seconds()) stages.add(name.c_str(), seconds / steps);
        projection.add("bodies_s", r.solver.bodies_s / steps);
        projection.add("setup_s", r.solver.setup_s / steps);
        projection.add("solve_s", r.solver.solve_s / steps);
        if (count == steps) throw Enough();
      });
  } catch (const Enough&) {
  }
  t.step_s = seconds_since(start) / steps;
  t.stages = stages.seconds();
  t.projection = projection.seconds();
  return t;
}

Scene scene_at(const std::string& name, int resolution) {
  return load_scene(find_scene(name), {{"domain.resolution", std::to_string(resolution)}});
}

}  // namespace coracle::bench
