// Whole steps of three of the paper's scenes: time by stage, memory, and their growth with the grid.
#include "bench/measure.h"
#include "bench/step_timing.h"
#include "coracle/base/parallel.h"
#include "coracle/scene/scenes.h"
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include <cmath>

namespace coracle::bench {
namespace {

// The required bounds on 2 free cores.
constexpr double most_step_s = 1, most_projection_share = 1.0 / 3;  // dam_break at 100³
constexpr double most_growth = 1.1;                                 // q in cost ~ cells^q, first grid to last
constexpr double most_memory_mb[] = {1500, 5000};                   // at 100³, 160³
constexpr double least_speedup = 1.5;                               // two threads over one
constexpr double least_gain_of_16 = 10, least_stage_gain_of_16 = 8;
constexpr double least_stage_s = 1e-3;  // of one thread: shorter stages do not count
constexpr double most_start_s = 1;      // of a preview, to the end of its first step

constexpr int resolutions[] = {48, 100, 160};

struct Subject {
  const char* scene;
  double from;  // s: start of the measured steps. The sphere's liquid is fast and needs many steps
};
constexpr Subject subjects[] = {{"dam_break", 0.25}, {"buoyancy", 0.25}, {"fluid_in_sphere", 0.05}};

// q in b ≈ a · (cells ratio)^q.
double exponent(double a, double b, int coarse, int fine) {
  return std::log(b / a) / (3 * std::log(double(fine) / coarse));
}

Parts growth(const Timing& a, const Timing& b, int coarse, int fine) {
  Parts out;
  const auto add = [&](const std::string& name, double x, double y) {
    out.emplace_back(name, exponent(x, y, coarse, fine));
  };
  add("step_s", a.step_s, b.step_s);
  add("particles", a.particles, b.particles);
  add("unknowns", a.unknowns, b.unknowns);
  add("iterations", a.iterations, b.iterations);
  add("peak_mb", a.peak_mb, b.peak_mb);
  for (std::size_t s = 0; s < b.stages.size(); ++s) add(b.stages[s].first, a.stages[s].second, b.stages[s].second);
  return out;
}

double stage_seconds(const Timing& t, const std::string& stage) {
  for (const auto& [name, seconds] : t.stages)
    if (name == stage) return seconds;
  return std::nan("");
}

// One thread, two, four and so on, as many as there are.
void time_threads(Results& results) {
  const int n = 100, most = int(tbb::info::default_concurrency());
  const Scene scene = scene_at("dam_break", n);
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  time_steps(scene, world, work, 0.2);
  const World state = world;
  Timing one;
  double control_one = 0, copy_one = 0, gain_of_two = 0, control_of_two = 0;
  for (int threads = 1; threads <= std::max(2, most); threads *= 2) {
    progress(fmt::format("dam_break, {}³, {} thread{}", n, threads, threads > 1 ? "s" : ""));
    const ThreadLimit limit(threads);
    World again = state;
    Workspace fresh;
    derive(scene, again, fresh);
    const Timing t = time_steps(scene, again, fresh, 0);
    const double control = seconds_of_control(), copied = seconds_of_copy();
    if (threads == 1) one = t, control_one = control, copy_one = copied;
    Parts gains;
    for (std::size_t s = 0; s < t.stages.size(); ++s)
      gains.emplace_back(t.stages[s].first, one.stages[s].second / t.stages[s].second);
    const double gain = one.step_s / t.step_s;
    results.rows.push_back({fmt::format("step/threads/{}", threads),
                            n,
                            {{"scene", "dam_break"},
                             {"step_s", t.step_s},
                             {"gain", gain},
                             {"control_gain", control_one / control},
                             {"copy_gain", copy_one / copied},
                             {"projection", t.projection},
                             {"stages", t.stages},
                             {"gains", gains}}});
    if (threads == 2) gain_of_two = gain, control_of_two = control_one / control;
    if (threads == 16) {
      results.require_at_least(least_gain_of_16, fmt::format("dam_break {}³: 16 threads over one", n), gain);
      for (std::size_t s = 0; s < gains.size(); ++s)
        if (const auto& [stage, stage_gain] = gains[s]; one.stages[s].second > least_stage_s)
          results.require_at_least(least_stage_gain_of_16,
                                   fmt::format("dam_break {}³, {}: 16 threads over one", n, stage), stage_gain);
    }
  }
  results.require_at_least(least_speedup,
                           fmt::format("dam_break {}³: two threads over one (control {:.2f})", n, control_of_two),
                           gain_of_two);
}

struct Enough {};

void time_start(Results& results) {
  for (const char* name : {"dam_break", "buoyancy", "compressibility", "thin_panel", "platform", "fluid_in_sphere",
                           "light_dino", "stability"}) {
    const auto begin = Clock::now();
    const Scene scene = load_scene(find_scene(name), {}, "preview");
    World world = build_world(scene);
    Workspace work;
    start(scene, world, work);
    double first_s = 0;
    try {
      advance_frame(scene, world, work, [&](const StepReport&) {
        first_s = seconds_since(begin);
        throw Enough();
      });
    } catch (const Enough&) {
    }
    results.rows.push_back({"step/start", scene.domain.resolution, {{"scene", name}, {"first_step_s", first_s}}});
    results.require_at_most(most_start_s, fmt::format("{}: to the end of the first step, s", name), first_s);
  }
}

}  // namespace

Results step() {
  Results results;
  for (const Subject& subject : subjects) {
    std::vector<Timing> timings;
    int coarser = 0;
    for (int n : resolutions) {
      progress(fmt::format("{}, {}³", subject.scene, n));
      forget_peak_memory();
      const Scene scene = scene_at(subject.scene, n);
      World world = build_world(scene);
      Workspace work;
      start(scene, world, work);
      Timing t = time_steps(scene, world, work, subject.from);
      t.peak_mb = peak_memory_mb();
      Row row{"step",
              n,
              {{"scene", subject.scene},
               {"step_s", t.step_s},
               {"steps_per_s", 1 / t.step_s},
               {"particles", t.particles},
               {"unknowns", t.unknowns},
               {"iterations", t.iterations},
               {"peak_mb", t.peak_mb},
               {"stages", t.stages}}};
      const bool first = timings.empty();  // no growth yet
      row.figures.emplace_back("growth", growth(first ? t : timings.back(), t, first ? n : coarser, n));
      results.rows.push_back(row);
      timings.push_back(t);
      coarser = n;
    }
    const auto at = [&](const char* what, int n) { return fmt::format("{} {}³: {}", subject.scene, n, what); };
    if (subject.scene == std::string("dam_break")) {
      results.require_at_most(most_step_s, at("s a step", 100), timings[1].step_s);
      results.require_at_most(most_projection_share, at("projection's share of it", 100),
                              stage_seconds(timings[1], "projection") / timings[1].step_s);
    }
    for (int i : {0, 1})
      results.require_at_most(most_memory_mb[i], at("MB", resolutions[i + 1]), timings[i + 1].peak_mb);
    results.require_at_most(most_growth, at("growth of a step from 48³", 160),
                            exponent(timings[0].step_s, timings[2].step_s, 48, 160));
    results.require_at_most(most_growth, at("growth of memory from 48³", 160),
                            exponent(timings[0].peak_mb, timings[2].peak_mb, 48, 160));
  }
  time_start(results);
  return results;
}

Results threads() {
  Results results;
  time_threads(results);
  return results;
}

}  // namespace coracle::bench
