// Dam break on an elastic obstacle [Walhorn05]: water L wide and 2L high at the left wall of a tank 4L long falls on a
// plate that is clamped to the floor. Nothing here is fitted: sizes and materials are the published ones.
//
// Plane strain by rollers; no contact, because the plate touches only its clamp; all other options have their defaults.
// Backward Euler damps the plate's oscillation by ω² Δt / 2 = 0.7 / s, less than the water does: the midpoint rule with
// Newton's method changes the peak by at most 0.15 mm at five times the cost.
//
// With 120, 160 and 240 cells along the tank the peak is 41.6, 42.0 and 42.4 mm: at the low end of published values.
// After the peak the tip's motion depends on the splash: with half the step, the tip is 3 mm further back at 0.4 s,
// which is outside the published band; both are in the report.
#include "validation/walhorn.h"

#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

constexpr double unit = 0.146, thickness = 0.012, height = 0.080;  // m

std::string scene(const WalhornRun& run) {
  const double depth = run.slab * 4 * unit / run.resolution;
  return fmt::format(R"(
method = "{14}"
[domain]
max = [{0}, {1}, 1]
resolution = {2}
slab = {3}
[time]
fps = 100
frames = 50
max_dt = {4}
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{5}, {6}, {7}]
[[body]]
name = "plate"
shape = "box"
min = [{6}, 0, 0]
max = [{8}, {9}, {7}]
mesh = "grid6"
element = "linear"
cells = [{10}, {11}, 1]
young = 1e6
poisson = 0
density = 2500
[[body.hold]]
type = "pin"
side = "y_min"
{13}
{15}
[[probe]]
name = "tip"
type = "displacement"
body = "plate"
point = [{6}, {9}, {12}]
)",
                     4 * unit, 3 * unit, run.resolution, run.slab, run.max_dt, unit, 2 * unit, depth,
                     2 * unit + thickness, height, run.layers, std::lround(run.layers * height / thickness), depth / 2,
                     rollers({"z_min", "z_max"}), run.method, run.more);
}

// Results of other codes: the time at which the tip has moved by 2 mm, its peak and the time of the peak, and its
// position at 0.2, 0.25, 0.3, 0.4 and 0.5 s; s and mm, read off their figures to ± 1.5 mm.
struct Published {
  const char* source;
  double onset, peak, peak_time, at[5];
};
constexpr double times[] = {0.2, 0.25, 0.3, 0.4, 0.5};
constexpr Published published[] = {{"Idelsohn 2008", .148, 48.3, .260, {36.4, 48.3, 42.7, 23.9, 16.7}},
                                   {"Ryzhakov 2010", .150, 41.0, .235, {35.8, 40.2, 28.9, 19.6, 15.9}},
                                   {"Liu 2013", .154, 46.5, .253, {36.6, 46.5, 40.3, 25.2, 18.0}},
                                   {"Bogaers 2016", .151, 45.0, .232, {41.2, 43.1, 32.4, 15.6, 7.9}},
                                   {"Meduri 2018", .161, 49.1, .235, {41.7, 48.0, 39.3, 22.1, 17.3}},
                                   {"Sun 2019", .145, 46.2, .217, {44.2, 44.6, 33.8, 23.5, 19.2}}};

}  // namespace

WalhornTip break_dam_on_plate(const WalhornRun& run) {
  WalhornTip tip;
  run_text(scene(run), "walhorn", [&](const StepReport& r, const World&, const Workspace&) {
    const double u = 1e3 * r.probes[0];
    if (u > 2 && !(tip.onset <= r.time)) tip.onset = r.time;
    if (u > tip.peak) tip.peak = u, tip.peak_time = r.time;
    tip.drift = std::max(tip.drift, std::abs(r.liquid().volume / r.liquid().expected_volume - 1));
    tip.path.push_back({r.time, u});
  });
  return tip;
}

Outcome beside_six_codes(const WalhornTip& tip) {
  Curve curve{"Dam break on an elastic plate: its tip", "t, s", "mm", tip.path, {}};
  for (const Published& p : published) {
    Curve::Series series{p.source, {{p.onset, 2}, {p.peak_time, p.peak}}};
    for (std::size_t i = 0; i < std::size(times); ++i) series.points.push_back({times[i], p.at[i]});
    std::sort(series.points.begin(), series.points.end());
    curve.others.push_back(series);
  }
  const std::string source = "Walhorn05; six codes";
  Outcome out;
  out.results = {within("the tip has moved by 2 mm at", tip.onset, 0.1525, 0.0125, "s", source),
                 within("furthest", tip.peak, 45, 4, "mm", source),
                 within("furthest at", tip.peak_time, 0.2375, 0.0275, "s", source),
                 within("at 0.4 s", value_at(tip.path, 0.4), 20.5, 5.5, "mm", source)};
  for (std::size_t i = 0; i < std::size(times); ++i) {
    if (times[i] == 0.4) continue;
    const auto [low, high] = std::minmax_element(std::begin(published), std::end(published),
                                                 [&](const auto& a, const auto& b) { return a.at[i] < b.at[i]; });
    out.results.push_back(reported(fmt::format("at {} s", times[i]), value_at(tip.path, times[i]), "mm",
                                   fmt::format("six codes: {} to {}", low->at[i], high->at[i])));
  }
  out.curves = {curve};
  return out;
}

Outcome walhorn() {
  const WalhornRun run;
  const WalhornTip tip = break_dam_on_plate(run), finer = break_dam_on_plate({.max_dt = run.max_dt / 2});
  Outcome out = beside_six_codes(tip);
  out.curves[0].others.push_back({"steps half as long", finer.path});
  const std::string source = "Walhorn05; six codes";
  out.results.push_back(at_most("drift of the water's volume", tip.drift, 0.005, "of V", "volume is constant"));
  out.results.push_back(reported("steps half as long: furthest", finer.peak, "mm", source));
  out.results.push_back(reported("steps half as long: at 0.4 s", value_at(finer.path, 0.4), "mm", source));
  return out;
}

}  // namespace coracle::validation
