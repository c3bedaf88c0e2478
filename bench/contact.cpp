// Contact: the pile of ten soft bodies by penalty and by barrier, and the work per pair as pairs grow.
#include "bench/cases.h"
#include "bench/measure.h"
#include "coracle/base/random.h"
#include "coracle/step/advance.h"
#include "coracle/step/contact/barrier_contacts.h"
#include "coracle/timer.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

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

struct PairTimes {
  std::size_t pairs = 0, active = 0;
  double search = 0, ccd = 0, terms = 0, energy = 0;  // s
  double per_100k() const { return (search + ccd + terms + energy) * 1e5 / double(pairs); }
};

// Two sheets of n × n squares, half the reach apart: pairs grow with n². What a step does with them: it searches them,
// and every iteration of Newton's method bounds its way, takes their derivatives and their energy.
PairTimes time_pairs(int n) {
  const std::string sheet =
      "kind = 'shell'\nshape = 'rectangle'\nalong = [1, 0, 0]\nacross = [0, 0, 1]\nshell_thickness = 1e-4\nyoung = "
      "1e5\n";
  const double edge = 1.0 / n, reach = 0.1 * edge, dt = 1e-3;
  const Scene scene = parse_scene(
      fmt::format("[domain]\nmin = [-1, -1, -1]\n[contact]\ndistance = {4}\n[[body]]\nname = 'a'\nedge = {0}\ncenter = "
                  "[0, 0, 0]\n{1}[[body]]\nname = 'b'\nedge = {0}\ncenter = [{2}, {3}, {2}]\n{1}",
                  edge, sheet, 0.3 * edge, 1e-4 + 0.5 * reach, reach),
      "bench.toml");
  const World world = build_world(scene);
  NodeField x, still, falling;
  for (const Body& body : world.bodies) {
    x.insert(x.end(), body.x.begin(), body.x.end());
    falling.resize(x.size(), Vec3(0, &body == &world.bodies.back() ? -0.2 * reach / dt : 0, 0));
  }
  still.resize(x.size(), Vec3::Zero());
  ContactMesh mesh;
  PairTimes best;
  constexpr int repeats = 5;
  for (int i = 0; i < repeats; ++i) {
    PairTimes times;
    const auto timed = [](double& seconds, auto&& work) {
      const auto begin = std::chrono::steady_clock::now();
      work();
      seconds = seconds_since(begin);
    };
    std::optional<BarrierContacts> contacts;
    timed(times.search, [&] { contacts.emplace(world, scene.contact, mesh, x, still, 0, 1, dt, 9.81); });
    timed(times.ccd, [&] { contacts->free_share(still, falling); });
    contacts->update(falling);  // the first one also pays for the memory of the derivatives, 1.3 kB a pair
    timed(times.terms, [&] { contacts->update(falling); });
    timed(times.energy, [&] { contacts->potential(falling); });
    const ContactReport report = contacts->report(falling);
    times.pairs = report.candidates, times.active = report.active;
    if (i == 0 || times.per_100k() < best.per_100k()) best = times;
  }
  return best;
}

void grow_pairs(Results& results) {
  progress("two sheets, with ever more pairs");
  std::vector<PairTimes> all;
  for (const int n : {40, 80, 160}) {
    const PairTimes t = time_pairs(n);
    results.rows.push_back({"contact/pairs",
                            n,
                            {{"pairs", double(t.pairs)},
                             {"active", double(t.active)},
                             {"search_s", t.search},
                             {"ccd_s", t.ccd},
                             {"terms_s", t.terms},
                             {"energy_s", t.energy},
                             {"per_100k_s", t.per_100k()}}});
    all.push_back(t);
  }
  results.require_at_most(0.2, fmt::format("{} pairs: search and one iteration, s per 100,000", all.back().pairs),
                          all.back().per_100k());
  results.require_at_most(1.3, fmt::format("time per pair, {} over {} pairs", all[2].pairs, all[1].pairs),
                          all[2].per_100k() / all[1].per_100k());
}

}  // namespace

Results contact() {
  Results results;
  compare_kinds(results);
  grow_pairs(results);
  return results;
}

}  // namespace coracle::bench
