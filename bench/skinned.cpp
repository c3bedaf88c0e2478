// Liquid on the skin of a character, method skinned: a woman of 40 thousand triangles in a shell of 200 thousand tets
// stands in a pool, in 100³ cells. The stage by its parts; and whole steps beside those of method cutcell.
#include "bench/measure.h"
#include "coracle/base/random.h"
#include "coracle/scene/scenes.h"
#include "coracle/step/advance.h"
#include "coracle/step/skinned/moving_shell.h"
#include "coracle/world/build.h"
#include "coracle/world/make_skins.h"
#include "coracle/world/motion.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>
#include <map>

namespace coracle::bench {
namespace {

// The required bounds on 2 free cores.
constexpr double most_stage_ms = 60, most_ratio = 1.3;

constexpr int steps = 12;
constexpr double coat = 3e-4;  // m

// Every triangle becomes four; a new vertex has the mean of the weights of its edge's ends.
Character refined(const Character& coarse) {
  Character fine = coarse;
  std::map<std::pair<int, int>, int> middle;
  const auto between = [&](int a, int b) {
    const auto [found, is_new] = middle.try_emplace(std::minmax(a, b), int(fine.rest.x.size()));
    if (is_new) {
      fine.rest.x.push_back(0.5 * (coarse.rest.x[a] + coarse.rest.x[b]));
      for (const int end : {a, b})
        for (int k = coarse.first[end]; k < coarse.first[end + 1]; ++k)
          fine.influences.push_back({.joint = coarse.influences[k].joint, .weight = 0.5 * coarse.influences[k].weight});
      fine.first.push_back(int(fine.influences.size()));
    }
    return found->second;
  };
  fine.rest.tris.clear();
  for (const Vec3i& t : coarse.rest.tris) {
    const int a = between(t[0], t[1]), b = between(t[1], t[2]), c = between(t[2], t[0]);
    for (const Vec3i& part : {Vec3i(t[0], a, c), Vec3i(a, t[1], b), Vec3i(c, b, t[2]), Vec3i(a, b, c)})
      fine.rest.tris.push_back(part);
  }
  return fine;
}

struct Bather {
  Scene scene;
  World world;
  Workspace work;

  Bather(const char* method, double level) {
    const std::filesystem::path scenes = std::filesystem::path(find_scene("sloshing")).parent_path().parent_path();
    const std::string file = (scenes / "characters/bather.glb").string();
    scene = parse_scene(fmt::format("method = '{}'\n[domain]\nmin = [-2.2, 0, -2.2]\nmax = [2.2, 4.4, 2.2]\n"
                                    "resolution = 100\n[[liquid.region]]\nshape = 'box'\nmin = [-2.2, 0, -2.2]\n"
                                    "max = [2.2, {}, 2.2]\n[[solid]]\nname = 'bather'\nshape = 'mesh'\nfile = '{}'"
                                    "\nclip = 'wring'\n[solid.skin]\nentrain = {}\n",
                                    method, level, file, coat),
                        "bench.toml");
    world = build_world(scene);
    Solid& solid = world.solids[0];
    solid.character = std::make_shared<const Character>(refined(*solid.character));
    solid.rest = std::make_shared<const TriMesh>(solid.character->rest);
    solid_at(solid, 0, solid.x, solid.v);
    Liquid& liquid = liquid_of(world);
    liquid.skins =
        scene.method == Method::skinned ? make_skins(scene, world.solids, liquid.grid) : std::vector<WetSkin>{};
    start(scene, world, work);
  }
  WetSkin& skin() { return liquid_of(world).skins[0]; }

  // A film on the skin above the level, and tets that hold a share of their volume.
  template <class Share>
  void wet(double level, Share&& share) {
    WetSkin& s = skin();
    const std::vector<Vec3>& nodes = std::get<LiquidWork>(work.fluid).skins[0].nodes;
    for (std::size_t t = 0; t < s.tets.volume.size(); ++t)
      if (s.tets.volume[t] == 0 && centroid(*s.shell, nodes, int(t)).y() > level)
        s.tets.volume[t] = share(t) * s.shell->volume[t];
    const Solid& solid = world.solids[0];
    for (std::size_t t = 0; t < s.film.volume.size(); ++t) {
      const Vec3i& k = solid.rest->tris[t];
      const Vec3 &a = solid.x[k[0]], &b = solid.x[k[1]], &c = solid.x[k[2]];
      if (s.film.volume[t] == 0 && a.y() > level) s.film.volume[t] = coat * 0.5 * (b - a).cross(c - a).norm();
    }
  }
};

struct Timed {
  double step_s = 0;
  StageTimes stages;
};
Timed time_step(Bather& bather) {
  const auto begin = Clock::now();
  const StepReport r = advance_step(bather.scene, bather.world, bather.work);
  return {.step_s = seconds_since(begin), .stages = r.stages};
}

double stage_s(const StageTimes& stages, const std::string& stage) {
  for (const auto& [name, seconds] : stages.seconds())
    if (name == stage) return seconds;
  return 0;
}

// Medians over the steps.
template <class Wet>
void time_stage(Results& results, const char* what, double level, Wet&& wet) {
  progress(fmt::format("the stage, {}", what));
  Bather bather("skinned", level);
  std::vector<double> stage;
  std::map<std::string, std::vector<double>> parts;
  double wet_tets = 0;
  for (int k = 0; k < steps; ++k) {
    wet(bather, k);
    wet_tets = double(std::count_if(bather.skin().tets.volume.begin(), bather.skin().tets.volume.end(),
                                    [](double m) { return m > 0; }));
    const Timed timed = time_step(bather);
    if (k < 2) continue;  // what is listed at first use
    stage.push_back(1e3 * stage_s(timed.stages, "skins"));
    for (const auto& [name, s] : std::get<LiquidWork>(bather.work.fluid).skins[0].times.seconds())
      parts[name].push_back(1e3 * s);
  }
  Parts medians;
  for (const auto& [name, values] : parts) medians.emplace_back(name, median(values));
  const std::size_t tris = bather.skin().film.volume.size();
  results.rows.push_back({"skinned/stage",
                          100,
                          {{"wet", what},
                           {"tets", double(bather.skin().tets.volume.size())},
                           {"wet_tets", wet_tets},
                           {"triangles", double(tris)},
                           {"particles", double(liquid_of(bather.world).particles.size())},
                           {"stage_ms", median(stage)},
                           {"parts_ms", medians},
                           {"film_us_a_triangle", 1e3 * median(parts["film"]) / double(tris)}}});
  results.require_at_most(most_stage_ms, fmt::format("the stage, {}: ms", what), median(stage));
}

}  // namespace

Results skinned() {
  Results results;
  // At first one tet in twenty above the water is full, and the others are dry.
  const auto half = [](Bather& b, int step) {
    b.wet(0.9, [&](std::size_t t) { return step == 0 && uniform(1, t) < 0.05 ? 1.0 : 0.0; });
  };
  time_stage(results, "half in a pool, a film on the rest, a twentieth of the tets above full", 0.9, half);
  time_stage(results, "all wet, half full, nearly no pool", 0.1,
             [](Bather& b, int) { b.wet(0.1, [](std::size_t) { return 0.5; }); });

  progress("steps by method skinned and by cutcell");
  Bather with("skinned", 0.9), without("cutcell", 0.9);
  std::vector<double> ratios, step_s, plain_s;
  for (int k = 0; k < steps; ++k) {
    half(with, k);
    const double a = time_step(with).step_s, b = time_step(without).step_s;
    if (k < 2) continue;
    ratios.push_back(a / b), step_s.push_back(a), plain_s.push_back(b);
  }
  results.rows.push_back({"skinned/step",
                          100,
                          {{"skinned_s", median(step_s)}, {"cutcell_s", median(plain_s)}, {"ratio", median(ratios)}}});
  results.require_at_most(most_ratio, "a step of skinned over one of cutcell", median(ratios));
  return results;
}

}  // namespace coracle::bench
