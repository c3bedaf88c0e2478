#include "validation/column.h"

#include "validation/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

constexpr double block = 0.5, depth = 1, young = 1e5, height = 2;  // m, m, Pa, m

std::string column(const ColumnRun& run) {
  const double dx = height / run.cells;
  return fmt::format("method = \"{}\"\n", run.method) +
         fmt::format(R"(
[domain]
min = [0, {0}, 0]
max = [{1}, {2}, {1}]
resolution = {3}
[time]
fps = {4}
frames = {5}
max_dt = {6}
[[liquid.region]]
shape = "box"
min = [0, {7}, 0]
max = [{1}, {8}, {1}]
[[body]]
name = "block"
shape = "box"
min = [0, 0, 0]
max = [{1}, {7}, {1}]
mesh = "grid6"
element = "linear"
material = "corotational"
cells = [{9}, {10}, {9}]
young = {11}
poisson = 0
density = {12}
damping_stiffness = {13}
[[body.hold]]
type = "pin"
side = "y_min"
{14}
[contact]
kind = "none"
[elastic]
integrator = "{15}"
[solver]
coupling = "{16}"
)",
                     -run.shift * dx, run.across * dx, height - run.shift * dx, run.cells, run.fps,
                     std::lround(run.fps * run.seconds), run.dt, block, block + depth, run.across / 2, run.cells / 8,
                     young, run.density, run.damping, rollers({"x_min", "x_max", "z_min", "z_max"}), run.integrator,
                     run.coupling);
}

// Lengths are along the tube's axis from the foot of the block, which is at `foot`.
std::string tube_text(const TubeRun& run, const std::string& integrator, double damping, double seconds) {
  const double dx = 1.0 / run.cells, width = 8 * dx, deep = 4 * dx, angle = run.degrees * M_PI / 180;
  const Vec3 up(-std::sin(angle), std::cos(angle), 0), foot(0.75 + 0.3 * dx, 0.12 + 0.4 * dx, 0.5 * deep);
  const auto at = [&](double h) {
    const Vec3 x = foot + h * up;
    return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z());
  };
  const std::string turned = fmt::format("rotate = [0, 0, {}]\n", run.degrees);
  const auto roller = [&](const Vec3& n) {
    return fmt::format(
        "[[body.hold]]\ntype = \"roller\"\nnormal = [{}, {}, {}]\n[[body.hold.region]]\nshape = \"box\"\ncenter = "
        "[0.5, 1, 0]\nsize = [9, 9, 9]\n",
        n.x(), n.y(), n.z());
  };
  return fmt::format("method = \"{}\"\ngravity = [{}, {}, 0]\n", run.method, -g * up.x(), -g * up.y()) +
         fmt::format("[domain]\nmin = [0, 0, 0]\nmax = [1, 1.9, {}]\nresolution = {}\n", deep,
                     std::lround(1.9 * run.cells)) +
         fmt::format("[time]\nfps = 100\nframes = {}\nmax_dt = 0.005\n", std::lround(100 * seconds)) +
         fmt::format(
             "[[solid]]\nname = \"tube\"\ncontainer = true\nshape = \"box\"\ncenter = {}\nsize = [{}, 2.4, 1]\n{}",
             at(0.75), width, turned) +
         fmt::format("[[liquid.region]]\nshape = \"box\"\ncenter = {}\nsize = [{}, {}, {}]\n{}",
                     at(block + 0.5 * depth), width, depth, deep, turned) +
         // Slightly wider than the tube, so that no water passes it.
         fmt::format(
             "[[body]]\nname = \"block\"\nshape = \"box\"\ncenter = {}\nsize = [{}, {}, {}]\n{}mesh = "
             "\"grid6\"\nelement = 'linear'\n"
             "cells = [3, 8, 1]\nmaterial = \"corotational\"\nyoung = {}\npoisson = 0\ndensity = {}\n"
             "damping_stiffness = {}\n",
             at(0.5 * block), width + 0.02 * dx, block, deep, turned, young, water, damping) +
         fmt::format(
             "[[body.hold]]\ntype = \"pin\"\n[[body.hold.region]]\nshape = \"box\"\ncenter = {}\nsize = [1, 0.02, "
             "1]\n{}",
             at(0), turned) +
         roller(Vec3(up.y(), -up.x(), 0)) + roller(Vec3::UnitZ()) +
         fmt::format("[contact]\nkind = 'none'\n[elastic]\nintegrator = \"{}\"\n", integrator);
}

double tube_top(const World& w, double degrees) {
  const double angle = degrees * M_PI / 180;
  const Vec3 up(-std::sin(angle), std::cos(angle), 0);
  double highest = -1e30;
  for (const Vec3& x : w.bodies[0].rest->x) highest = std::max(highest, x.dot(up));
  return displacement(w.bodies[0], [&](const Vec3& x) { return x.dot(up) > highest - 1e-6; }).dot(up);
}

double top_of(const World& w) {
  return displacement(w.bodies[0], [](const Vec3& x) { return x.y() > block - 1e-9; }).y();
}

// Seconds until the top has moved by the block's height or the run fails; infinite if neither happens.
double time_to_failure(const ColumnRun& run) {
  double time = 0;
  const bool completed =
      run_to_the_end(column(run), "column", [&](const StepReport& r, const World& w, const Workspace&) {
        time = r.time;
        if (!(std::abs(top_of(w)) < block)) throw Stop();
      });
  return completed ? INFINITY : time;
}

}  // namespace

ColumnTheory::ColumnTheory(double density) {
  const double ratio = density * block / (water * depth);
  double low = 0, high = M_PI / 2;
  while (high - low > 1e-14) (low + high < 2 * std::atan(2 * ratio / (low + high)) ? low : high) = (low + high) / 2;
  omega = low * std::sqrt(young / density) / block;
  period = 2 * M_PI / omega;
  sag = g * block / young * (water * depth + 0.5 * density * block);
  const double liquid = std::pow(std::sin(low), 2), solid = ratio * (0.5 - std::sin(2 * low) / (4 * low));
  share = liquid / (liquid + solid);
}

TubeResult tube(const TubeRun& run) {
  const ColumnTheory theory(water);
  TubeResult result;
  std::vector<double> crossings;
  double last = 0, time = 0;
  result.completed = run_to_the_end(
      tube_text(run, "midpoint", 0, 1.2), "tube", [&](const StepReport& r, const World& w, const Workspace&) {
        const double top = tube_top(w, run.degrees), off = top + theory.sag, before = last + theory.sag;
        if (off * before < 0) crossings.push_back(time + (r.time - time) * before / (before - off));
        last = top, time = r.time;
      });
  const std::size_t halves = crossings.size() < 3 ? 0 : (crossings.size() - 1) / 2 * 2;
  if (halves > 0) result.frequency = 0.5 * double(halves) / (crossings[halves] - crossings[0]);
  Mean still;
  result.completed = run_to_the_end(tube_text(run, "backward_euler", 2 / theory.omega, 1.2), "tube",
                                    [&](const StepReport& r, const World& w, const Workspace&) {
                                      if (r.time > 0.9) still.add(tube_top(w, run.degrees), r.dt);
                                    }) &&
                     result.completed;
  result.sag = -still.value();
  return result;
}

Swing swing(const ColumnRun& run) {
  const ColumnTheory theory(run.density);
  Swing s;
  std::vector<double> crossings, turns, times;
  double last = 0, before_last = 0, time = 0;
  s.completed = run_to_the_end(column(run), "column", [&](const StepReport& r, const World& w, const Workspace&) {
    const double top = top_of(w), off = top + theory.sag, off_before = last + theory.sag;
    if (off * off_before < 0) crossings.push_back(time + (r.time - time) * off_before / (off_before - off));
    if ((top - last) * (last - before_last) < 0) turns.push_back(std::abs(off_before)), times.push_back(time);
    before_last = last, last = top, time = r.time;
    s.drift = std::max(s.drift, std::abs(r.liquid().volume / r.liquid().expected_volume - 1));
    s.curve.measured.push_back({r.time, top});
    s.curve.reference.push_back({r.time, -theory.sag * (1 - std::cos(theory.omega * r.time))});
  });
  if (crossings.size() < 3 || turns.size() < 2) return s;
  const std::size_t halves = (crossings.size() - 1) / 2 * 2;  // whole periods
  s.frequency = 0.5 * double(halves) / (crossings[halves] - crossings[0]);
  s.last = turns.back() / turns[0];
  s.decay = -std::log(s.last) / (times.back() - times[0]);
  return s;
}

double static_sag(ColumnRun run, double from) {
  run.integrator = "backward_euler";
  run.damping = 2 / ColumnTheory(run.density).omega;
  run.seconds = 1.2;
  Mean still;
  run_text(column(run), "column", [&](const StepReport& r, const World& w, const Workspace&) {
    if (r.time > from) still.add(top_of(w), r.dt);
  });
  return -still.value();
}

Outcome added_mass_column() {
  // Midpoint rule in the block. The only damping comes from the liquid, whose acceleration lags by half a step: the
  // liquid's share of the kinetic energy · ω² Δt / 4.
  const ColumnTheory theory(water), light_theory(50);
  const ColumnRun run;
  const Swing strong = swing(run), light = swing({.seconds = 1.2, .density = 50});

  Outcome out;
  const std::string source = "β tan β = ρs l / (ρf H)", failing = "added mass: the liquid outweighs the block";
  const double f = 1 / theory.period, light_f = 1 / light_theory.period, sag = 1e3 * theory.sag;
  out.results = {
      within("frequency, midpoint rule, Δt 5 ms", strong.frequency, f, 0.02 * f, "Hz", source),
      within("frequency, a block 20 times lighter", light.frequency, light_f, 0.02 * light_f, "Hz", source),
      within("static displacement of the top", 1e3 * static_sag(run, 0.9), sag, 0.01 * sag, "mm",
             "weight of water and block over E; a cell has one pressure: ± dx / 2H"),
      at_least("strong: completed", strong.completed && light.completed, 1, "", "it is stable"),
      at_most("strong: last swing over the first", strong.last, 1, "", "energy"),
      reported("strong: decay of the swing", strong.decay, "1/s",
               fmt::format("theory of the scheme: {:.3f}", theory.share * theory.omega * theory.omega * run.dt / 4)),
      at_most("drift of the water's volume", strong.drift, 0.005, "of V", "the block is tight at the domain's sides"),
      at_most("weak: periods until the top has moved by the block's height",
              time_to_failure({.coupling = "weak"}) / theory.period, 0.5, "", failing),
      at_most("weak, backward Euler: the same",
              time_to_failure({.coupling = "weak", .integrator = "backward_euler"}) / theory.period, 0.5, "", failing),
      reported("weak, a tenth of the step: the same",
               time_to_failure({.coupling = "weak", .dt = 0.0005}) / theory.period, "", "a shorter step is no cure")};
  out.curves = {strong.curve};
  return out;
}

}  // namespace coracle::validation
