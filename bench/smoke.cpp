// Smoke at 100³ with a sheet of about 2000 tets in it: a step and its parts, with both methods.
#include "bench/measure.h"
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

namespace coracle::bench {

Results smoke() {
  constexpr double most_s = 1.0;  // a step on two free cores
  constexpr int warm = 4, counted = 12;
  Results results;
  for (const char* method : {"cutcell", "simultaneous"}) {
    progress(fmt::format("smoke at 100³ with a sheet, {}", method));
    const Scene scene = parse_scene(
        fmt::format("method = '{}'\ngravity = [0, 0, 0]\n", method) +
            "[domain]\nresolution = 100\nopen = ['x_max', 'y_max']\n[time]\nfps = 48\nframes = 1000\ncfl = 2\n[gas]\n"
            "confinement = 0.2\n[[jet]]\nname = 'nozzle'\nshape = 'cylinder'\ncenter = [0.1, 0.5, 0.5]\nradius = "
            "0.08\nheight = 0.1\naxis = [1, 0, 0]\nvelocity = [2, 0, 0]\ntemperature = 20\n[[body]]\nname = "
            "'sheet'\nshape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.04, 0.5, 0.5]\nrotate = [0, 0, 20]\nmesh = "
            "'grid5'\nelement = 'linear'\ncells = [2, 14, 14]\nyoung = 3e4\ndensity = 50\ndamping_stiffness = "
            "0.01\n[[body.hold]]\ntype = "
            "'pin'\n[[body.hold.region]]\nshape = 'box'\ncenter = [0.5, 0.2, 0.5]\nsize = [0.4, 0.2, 1]\n",
        "smoke.toml");
    World world = build_world(scene);
    Workspace work;
    start(scene, world, work);
    Parts parts;
    double total = 0, iterations = 0, memory = 0;
    int steps = 0;
    while (steps < warm + counted)
      advance_frame(scene, world, work, [&](const StepReport& r) {
        if (++steps <= warm || steps > warm + counted) return;
        for (std::size_t i = 0; i < r.stages.seconds().size(); ++i) {
          const auto& [name, s] = r.stages.seconds()[i];
          if (i == parts.size()) parts.emplace_back(name, 0);
          parts[i].second += s / counted;
          total += s / counted;
        }
        iterations += double(r.solver.iterations) / counted;
        memory = r.memory_mb;
      });
    results.rows.push_back({fmt::format("smoke/{}", method),
                            100,
                            {{"step_s", total},
                             {"tets", double(std::get<Tets>(world.bodies[0].rest->elements).tets.size())},
                             {"iterations", iterations},
                             {"peak_mb", memory},
                             {"stages", parts}}});
    if (scene.method == Method::cutcell)
      results.require_at_most(most_s, "smoke at 100³ with a sheet, cutcell: a step, s", total);
  }
  return results;
}

}  // namespace coracle::bench
