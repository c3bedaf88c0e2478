// Liquid of smoothed particles with bodies: beside other codes and cut cells, and what must never happen.
#include "coracle/scene/liquid_kinds.h"
#include "coracle/scene/scenes.h"
#include "coracle/shape/closest.h"
#include "coracle/world/build.h"
#include "validation/sph_setup.h"
#include "validation/walhorn.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

// Runs a shipped scene to its end, with changes.
World run_scene(const char* name, const std::vector<Override>& changes, const OnStep& on_step) {
  const std::vector<SceneInfo> all = shipped_scenes();
  const auto info = std::find_if(all.begin(), all.end(), [&](const SceneInfo& s) { return s.name == name; });
  const Scene scene = load_scene(info->path, changes);
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  while (world.clock.frame < scene.time.frames)
    advance_frame(scene, world, work, [&](const StepReport& r) { on_step(r, world, work); });
  return world;
}

double min_distance(const StepReport& r) { return std::get<SphReport>(r.fluid).min_distance; }

}  // namespace

Outcome sph_walhorn() {
  return beside_six_codes(
      break_dam_on_plate({.method = "proxy", .resolution = 80, .slab = 4, .layers = 8, .more = ""}));
}

Outcome sph_buoyancy() {
  // Three seconds, as the scene has them; heights are means over the last half second. The neutral ball has no weight
  // in water: its height tells where its fall was stopped, and particles stop it sooner (sph_vortex). A stiffer liquid
  // changes nothing.
  const auto heights = [](const char* method) {
    std::array<Mean, 3> mean;
    const std::vector<Override> changes{{"method", method}, {"domain.resolution", "20"}};
    run_scene("buoyancy", changes, [&](const StepReport& r, const World&, const Workspace&) {
      for (int b = 0; b < 3 && r.time > 2.5; ++b) mean[b].add(r.bodies[b].center.y(), r.dt);
    });
    return mean;
  };
  constexpr double spacing = 0.025;
  const std::array<Mean, 3> sph = heights("proxy"), grid = heights("cutcell");
  Outcome out;
  for (int b = 0; b < 3; ++b) {
    const char* name = std::array{"light", "neutral", "heavy"}[b];
    out.results.push_back(within(fmt::format("height of the {} ball", name), sph[b].value(), grid[b].value(), spacing,
                                 "m", "cutcell, same cells; one D"));
  }
  return out;
}

Outcome sph_in_sphere() {
  double lost = 0, gap = 1;
  std::size_t first = 0, last = 0;
  run_scene("fluid_in_sphere", {{"method", "proxy"}, {"domain.resolution", "32"}},
            [&](const StepReport& r, const World&, const Workspace&) {
              lost = std::max(lost, r.probes[0]);
              gap = std::min(gap, min_distance(r));
              last = r.liquid().particles;
              if (first == 0) first = last;
            });
  return {{at_most("particles outside the sphere", lost, 0, "", "nothing passes a barrier"),
           within("particles at the end over those at the start", double(last) / double(first), 1, 0, "", "closed"),
           at_least("smallest distance", gap, 1e-12, "m", "nothing passes a barrier"),
           at_least("particles", double(first), 1000, "", "the case would be void without")},
          {}};
}

Outcome sph_shot() {
  // A block of liquid flies about in a closed box of 1 mm, pinned along its edges.
  Outcome out;
  for (const char* splitting : {"delta", "two_phase", "baseline"}) {
    double lost = 0, gap = 1, speed = 0;
    std::size_t particles = 0;
    const bool completed = run_to_the_end(fmt::format(R"(
method = "proxy"
gravity = [0, 0, 0]
[domain]
min = [-0.3, -0.3, -0.3]
max = [0.3, 0.3, 0.3]
resolution = 24
[time]
fps = 1000
frames = 10
[proxy]
splitting = "{}"
[[liquid.region]]
shape = "box"
min = [-0.1, -0.1, -0.1]
max = [0.05, 0.05, 0.05]
velocity = [50, 10, 5]
[[body]]
name = "box"
kind = "shell"
shape = "box"
center = [0, 0, 0]
size = [0.4, 0.4, 0.4]
edge = 0.05
shell_thickness = 0.001
young = 1e9
density = 1000
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold]]
type = "pin"
side = "y_min"
)",
                                                      splitting),
                                          "sph_shot", [&](const StepReport& r, const World& w, const Workspace&) {
                                            const TriTree box(w.bodies[0].x, w.bodies[0].rest->skin.tris);
                                            double out = 0;
                                            for (const Vec3& x : sph_of(w).x) out += box.closest(x).distance > 0;
                                            lost = std::max(lost, out);
                                            gap = std::min(gap, min_distance(r));
                                            speed = std::max(speed, r.liquid().max_speed);
                                            particles = r.liquid().particles;
                                          });
    const std::string name = fmt::format(", {}", splitting);
    out.results.push_back(at_least("completed" + name, completed, 1, "", "it must not fail"));
    out.results.push_back(at_most("particles outside the box" + name, lost, 0, "", "nothing passes a barrier"));
    out.results.push_back(at_least("smallest distance" + name, gap, 1e-12, "m", "nothing passes a barrier"));
    out.results.push_back(at_least("largest speed" + name, speed, 50, "m/s", "the case would be void without"));
    out.results.push_back(at_least("particles" + name, double(particles), 1000, "", "the same"));
  }
  return out;
}

}  // namespace coracle::validation
