// Contact: the pile of ten soft bodies by penalty and by barrier, and the search for pairs as contacts grow.
#include "bench/cases.h"
#include "bench/measure.h"
#include "coracle/base/random.h"
#include "coracle/step/advance.h"
#include "coracle/step/contact/contact_pairs.h"
#include "coracle/timer.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <chrono>

namespace coracle::bench {
namespace {

// The pile of the validation case `pile`, for `frames` frames of 1/25 s.
std::string pile(const char* kind, int frames) {
  std::string scene = fmt::format(
      "[domain]\nmin = [0, 0, 0]\nmax = [0.6, 1.6, 0.6]\nresolution = 32\n[time]\nfps = 25\nframes = {}\nmax_dt = "
      "0.005\n[contact]\nkind = '{}'\n",
      frames, kind);
  for (int i = 0; i < 10; ++i)
    scene += fmt::format(
        "[[body]]\nname = \"b{}\"\nshape = \"{}\"\ncenter = [{}, {}, {}]\n{}\nedge = 0.06\nyoung = 1e5\ndensity = "
        "800\ndamping_mass = 0.5\n",
        i, i % 2 ? "sphere" : "box", 0.3 + 0.08 * (uniform(i, 0) - 0.5), 0.14 + 0.15 * i,
        0.3 + 0.08 * (uniform(i, 1) - 0.5),
        i % 2 ? "radius = 0.07" : "size = [0.13, 0.12, 0.14]\nrotate = [10, 25, 5]");
  return scene;
}

struct PileTimes {
  double per_second = 0;  // s of work per simulated s
  double iterations = 0;  // per step
  double search = 0;      // share of the time
};

PileTimes time_pile(const char* kind) {
  constexpr int frames = 50;
  const Scene scene = parse_scene(pile(kind, frames), "bench.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  PileTimes times;
  double steps = 0, seconds = 0, search = 0;
  for (int f = 0; f < frames; ++f)
    advance_frame(scene, world, work, [&](const StepReport& r) {
      for (const auto& [name, s] : r.stages.seconds()) seconds += s;
      times.iterations += r.solver.iterations;
      if (r.contact) search += r.contact->search_s;
      ++steps;
    });
  times.per_second = seconds / world.clock.time;
  times.iterations /= steps;
  times.search = search / seconds;
  return times;
}

void compare_kinds(Results& results) {
  progress("a pile of ten soft bodies, by penalty and by barrier");
  const PileTimes penalty = time_pile("penalty"), barrier = time_pile("barrier");
  const double ratio = barrier.per_second / penalty.per_second;
  results.rows.push_back({"contact/pile",
                          0,
                          {{"penalty_s", penalty.per_second},
                           {"barrier_s", barrier.per_second},
                           {"ratio", ratio},
                           {"iterations_penalty", penalty.iterations},
                           {"iterations_barrier", barrier.iterations},
                           {"search_share", barrier.search}}});
  results.require_at_most(3, "pile: barrier over penalty, time per simulated second", ratio);
  results.require_at_most(0.15, "pile: the search for pairs, share of a step", barrier.search);
}

// Two sheets of n × n squares, half the reach apart: pairs grow with n².
void search_pairs(Results& results) {
  for (const int n : {40, 80, 160}) {
    const std::string sheet =
        "kind = 'shell'\nshape = 'rectangle'\nalong = [1, 0, 0]\nacross = [0, 0, 1]\nshell_thickness = 1e-4\nyoung = "
        "1e5\n";
    const double edge = 1.0 / n, reach = 0.1 * edge;
    const Scene scene = parse_scene(
        fmt::format("[domain]\nmin = [-1, -1, -1]\n[[body]]\nname = 'a'\nedge = {0}\ncenter = [0, 0, 0]\n{1}[[body]]\n"
                    "name = 'b'\nedge = {0}\ncenter = [{2}, {3}, {2}]\n{1}",
                    edge, sheet, 0.3 * edge, 1e-4 + 0.5 * reach),
        "bench.toml");
    const World world = build_world(scene);
    ContactMesh mesh = make_contact_mesh(world, reach);
    std::vector<Vec3> x;
    for (const Body& body : world.bodies) x.insert(x.end(), body.x.begin(), body.x.end());
    std::size_t pairs = find_candidates(mesh, x, x).size();
    constexpr int repeats = 5;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) pairs = find_candidates(mesh, x, x).size();
    const double seconds = seconds_since(begin) / repeats;
    results.rows.push_back(
        {"contact/search",
         n,
         {{"pairs", double(pairs)}, {"search_s", seconds}, {"per_100k_s", seconds * 1e5 / double(pairs)}}});
    if (pairs > 50000)
      results.require_at_most(0.2, fmt::format("search for {} pairs, s per 100,000", pairs),
                              seconds * 1e5 / double(pairs));
  }
}

}  // namespace

Results contact() {
  Results results;
  compare_kinds(results);
  search_pairs(results);
  return results;
}

}  // namespace coracle::bench
