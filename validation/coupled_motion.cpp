// Liquid and bodies moving together, against theory: whole runs.
#include "validation/case.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace coracle::validation {
namespace {

constexpr double g = 9.81, water = 1000;

struct Stop {};  // thrown by a look at a step to end its run

enum class Ending { completed, stopped, failed };

Ending run_to_the_end(const std::string& toml, const std::string& name,
                      const std::function<void(const StepReport&, const World&, const Workspace&)>& on_step) {
  try {
    run_text(toml, name, on_step);
  } catch (const Stop&) {
    return Ending::stopped;
  } catch (const RunError&) {
    return Ending::failed;
  }
  return Ending::completed;
}

// Weighted by the length of steps.
struct Mean {
  double sum = 0, time = 0;
  void add(double value, double dt) { sum += value * dt, time += dt; }
  double value() const { return time > 0 ? sum / time : std::numeric_limits<double>::quiet_NaN(); }
};

std::string rollers(const std::vector<std::string>& sides) {
  std::string text;
  for (const std::string& side : sides)
    text += fmt::format("[[body.hold]]\ntype = \"roller\"\nside = \"{}\"\nnormal = {}\n", side,
                        side[0] == 'x' ? "[1, 0, 0]" : "[0, 0, 1]");
  return text;
}

// Nodes that `where` picks by their place at rest: mean displacement.
Vec3 displacement(const Body& body, const std::function<bool(const Vec3&)>& where) {
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t i = 0; i < body.x.size(); ++i)
    if (where(body.rest->mesh.x[i])) sum += body.x[i] - body.rest->mesh.x[i], ++count;
  return sum / count;
}

// --- A column of water on an elastic block

constexpr double block = 0.5, depth = 1, young = 1e5;  // m, m, Pa

// β tan β = ρs l / (ρf H), ω = β √(E/ρs) / l.
struct ColumnTheory {
  double omega, period, sag;  // 1/s, s, m
  double share;               // of the kinetic energy that is the liquid's
  explicit ColumnTheory(double density) {
    const double ratio = density * block / (water * depth);
    double low = 0, high = M_PI / 2;
    while (high - low > 1e-14) (low + high < 2 * std::atan(2 * ratio / (low + high)) ? low : high) = (low + high) / 2;
    omega = low * std::sqrt(young / density) / block;
    period = 2 * M_PI / omega;
    sag = g * block / young * (water * depth + 0.5 * density * block);
    const double liquid = std::pow(std::sin(low), 2), solid = ratio * (0.5 - std::sin(2 * low) / (4 * low));
    share = liquid / (liquid + solid);
  }
};

struct ColumnRun {
  std::string coupling = "strong";
  std::string integrator = "midpoint";
  double dt = 0.005;
  double damping = 0;  // s, of the stiffness
  double seconds = 2;
  double density = 1000;  // kg/m³, of the block
};

std::string column(const ColumnRun& run) {
  return fmt::format(R"(
[domain]
max = [0.0625, 2, 0.0625]
resolution = 128
slab = 4
[time]
fps = 100
frames = {}
max_dt = {}
[[liquid.region]]
shape = "box"
min = [0, 0.5, 0]
max = [0.0625, 1.5, 0.0625]
[[body]]
name = "block"
shape = "box"
min = [0, 0, 0]
max = [0.0625, 0.5, 0.0625]
mesh = "grid6"
cells = [2, 16, 2]
young = 1e5
poisson = 0
density = {}
damping_stiffness = {}
[[body.hold]]
type = "pin"
side = "y_min"
{}
[elastic]
contact = false
integrator = "{}"
[solver]
coupling = "{}"
)",
                     std::lround(100 * run.seconds), run.dt, run.density, run.damping,
                     rollers({"x_min", "x_max", "z_min", "z_max"}), run.integrator, run.coupling);
}

double top_of(const World& w) {
  return displacement(w.bodies[0], [](const Vec3& x) { return x.y() > block - 1e-9; }).y();
}

// Released from the unloaded state: how it swings about the static position.
struct Swing {
  bool completed = false;
  double frequency = 0;    // Hz
  double last = INFINITY;  // amplitude, of the first
  double decay = 0;        // 1/s
  double drift = 0;        // of the liquid's volume
  Curve curve{"Water on an elastic block: its top", "t, s", "m", {}, {}};
};

Swing swing(const ColumnRun& run) {
  const ColumnTheory theory(run.density);
  Swing s;
  std::vector<double> crossings, turns, times;
  double last = 0, before_last = 0, time = 0;
  const Ending end = run_to_the_end(column(run), "column", [&](const StepReport& r, const World& w, const Workspace&) {
    const double top = top_of(w), off = top + theory.sag, off_before = last + theory.sag;
    if (off * off_before < 0) crossings.push_back(time + (r.time - time) * off_before / (off_before - off));
    if ((top - last) * (last - before_last) < 0) turns.push_back(std::abs(off_before)), times.push_back(time);
    before_last = last, last = top, time = r.time;
    s.drift = std::max(s.drift, std::abs(r.liquid.volume / r.liquid.expected_volume - 1));
    s.curve.measured.push_back({r.time, top});
    s.curve.reference.push_back({r.time, -theory.sag * (1 - std::cos(theory.omega * r.time))});
  });
  s.completed = end == Ending::completed;
  if (crossings.size() < 3 || turns.size() < 2) return s;
  const std::size_t halves = (crossings.size() - 1) / 2 * 2;  // whole periods
  s.frequency = 0.5 * double(halves) / (crossings[halves] - crossings[0]);
  s.last = turns.back() / turns[0];
  s.decay = -std::log(s.last) / (times.back() - times[0]);
  return s;
}

// Seconds until the top has moved by the block's height, or the run fails; never: infinitely many.
double time_to_failure(const ColumnRun& run) {
  double time = 0;
  const Ending end = run_to_the_end(column(run), "column", [&](const StepReport& r, const World& w, const Workspace&) {
    time = r.time;
    if (!(std::abs(top_of(w)) < block)) throw Stop();
  });
  return end == Ending::completed ? std::numeric_limits<double>::infinity() : time;
}

// --- Floating bodies

struct Draft {
  Mean balance, probes;  // m
};

constexpr double settled = 1.5;  // s: mass damping has taken most of the heave by then

// Four gauges in the corners of a tank `side` wide.
std::string gauges(double side, double height) {
  std::string text;
  for (const int corner : {0, 1, 2, 3}) {
    const double x = (corner & 1 ? 0.94 : 0.06) * side, z = (corner & 2 ? 0.94 : 0.06) * side;
    text +=
        fmt::format("[[probe]]\nname = \"level_{0}\"\ntype = \"height\"\nfrom = [{1}, 0, {2}]\nto = [{1}, {3}, {2}]\n",
                    corner, x, z, height);
  }
  return text;
}

double level_by_gauges(const StepReport& r) {
  double sum = 0;
  for (const double p : r.probes) sum += p;
  return sum / double(r.probes.size());
}

// --- A beam in a dam break

struct BeamRun {
  bool completed = true;
  double end = 0;            // s, when the run ended
  double rise = 0;           // m, of the tip, mean of the second half
  double furthest = 0;       // m, that any node got from its place at rest
  double elastic = 0;        // J, most
  double elastic_late = 0;   // J, most in the last third
  double elastic_early = 0;  // J, most before
  double energy = 0;         // most of it, of what there was at the start
  double volume = 0;         // largest change of the beam's, of V
  double dt = 0;             // s, mean
  std::vector<std::pair<double, double>> tip;
};

constexpr double beam_seconds = 1.2;

BeamRun beam(const std::string& coupling, double damping_mass, double damping_stiffness) {
  const double gravity = 50, density = 50, length = 0.7, bottom = 0.1, volume = 0.07 * 0.07 * length;
  BeamRun out;
  Mean rise;
  double start = 0, steps = 0;
  const Ending end =
      run_to_the_end(fmt::format(R"(
gravity = [0, -50, 0]
[domain]
resolution = 35
[time]
fps = 25
frames = 30
cfl = 5
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.5, 0.8, 1]
[[body]]
name = "beam"
shape = "box"
center = [0.65, 0.45, 0.5]
size = [0.07, 0.7, 0.07]
mesh = "grid6"
cells = [2, 20, 2]
young = 1e7
poisson = 0.35
density = 50
damping_mass = {}
damping_stiffness = {}
[[body.hold]]
type = "pin"
side = "y_max"
[solver]
coupling = "{}"
)",
                                 damping_mass, damping_stiffness, coupling),
                     "stability", [&](const StepReport& r, const World& w, const Workspace&) {
                       const Body& body = w.bodies[0];
                       const BodyReport& b = r.bodies[0];
                       const double tip = displacement(body, [&](const Vec3& x) { return x.y() < bottom + 1e-9; }).y();
                       out.tip.push_back({r.time, tip});
                       if (r.time > 0.5 * beam_seconds) rise.add(tip, r.dt);
                       for (std::size_t i = 0; i < body.x.size(); ++i)
                         out.furthest = std::max(out.furthest, (body.x[i] - body.rest->mesh.x[i]).norm());
                       out.elastic = std::max(out.elastic, b.elastic_energy);
                       double& most = r.time > 2 * beam_seconds / 3 ? out.elastic_late : out.elastic_early;
                       most = std::max(most, b.elastic_energy);
                       const double energy = r.liquid.kinetic_energy + r.liquid.potential_energy + b.kinetic_energy +
                                             b.elastic_energy + density * volume * gravity * b.center.y();
                       if (start == 0) start = energy;  // after a step: nothing has been lost yet to speak of
                       out.energy = std::max(out.energy, energy / start);
                       out.volume = std::max(out.volume, std::abs(b.volume / volume - 1));
                       out.end = r.time;
                       ++steps;
                     });
  out.completed = end == Ending::completed;
  out.rise = rise.value();
  out.dt = out.end / steps;
  return out;
}

}  // namespace

Outcome added_mass_column() {
  // Midpoint rule in the block. What damping there is comes from the liquid, whose acceleration is that of half a step
  // before: its share of the kinetic energy · ω² Δt / 4.
  const ColumnTheory theory(water), light_theory(50);
  const ColumnRun run;
  const Swing strong = swing(run), light = swing({.seconds = 1.2, .density = 50});

  // Critically damped by its stiffness, backward Euler: the static position.
  Mean still;
  run_text(column({.integrator = "backward_euler", .damping = 2 / theory.omega, .seconds = 1.2}), "column",
           [&](const StepReport& r, const World& w, const Workspace&) {
             if (r.time > 0.9) still.add(top_of(w), r.dt);
           });

  Outcome out;
  const std::string source = "β tan β = ρs l / (ρf H)", failing = "added mass: the liquid outweighs the block";
  const double f = 1 / theory.period, light_f = 1 / light_theory.period, sag = 1e3 * theory.sag;
  out.results = {
      within("frequency, midpoint rule, Δt 5 ms", strong.frequency, f, 0.02 * f, "Hz", source),
      within("frequency, a block 20 times lighter", light.frequency, light_f, 0.02 * light_f, "Hz", source),
      within("static displacement of the top", -1e3 * still.value(), sag, 0.01 * sag, "mm",
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

Outcome floating_sphere() {
  // d² (3R − d) = 4 s R³. The level h by balance of volume: h A = V + submerged(h), with the volume V as measured.
  constexpr double radius = 0.2, side = 0.8, fill = 0.45;
  Outcome out;
  for (const auto& [share, ratio] : {std::pair{0.2, 0.5743}, {0.5, 1.0}}) {
    Draft draft;
    Curve curve{fmt::format("Floating sphere, ρs/ρf {}", share), "t, s", "d / R", {}, {}};
    run_text(fmt::format(R"(
[domain]
max = [{0}, {0}, {0}]
resolution = 32
[time]
fps = 25
frames = 75
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {1}, {0}]
[[body]]
name = "ball"
shape = "sphere"
center = [0.4, {2}, 0.4]
radius = {3}
edge = 0.04
young = 1e6
density = {4}
damping_mass = 7
{5})",
                         side, fill, fill + radius - ratio * radius + 0.03, radius, share * water, gauges(side, side)),
             "floating_sphere", [&](const StepReport& r, const World&, const Workspace&) {
               const double bottom = r.bodies[0].center.y() - radius;
               double d = ratio * radius;
               for (int i = 0; i < 50; ++i)
                 d = (r.liquid.volume + M_PI * d * d * (3 * radius - d) / 3) / (side * side) - bottom;
               curve.measured.push_back({r.time, d / radius});
               curve.reference.push_back({r.time, ratio});
               if (r.time < settled) return;
               draft.balance.add(d / radius, r.dt);
               draft.probes.add((level_by_gauges(r) - bottom) / radius, r.dt);
             });
    out.results.push_back(within(fmt::format("d / R, ρs/ρf {}, level by volume", share), draft.balance.value(), ratio,
                                 0.02 * ratio, "", "Archimedes"));
    out.results.push_back(
        reported(fmt::format("d / R, ρs/ρf {}, level by gauges", share), draft.probes.value(), "", "Archimedes"));
    out.curves.push_back(curve);
  }
  return out;
}

Outcome tilted_prism() {
  // Let go tilted by 8 degrees; wide and low, so that it rights itself.
  constexpr double width = 0.44, height = 0.2, length = 0.36, side = 0.8, share = 0.6;
  constexpr int resolution = 40;
  constexpr double tolerance = 0.5 * side / resolution / height;  // half a cell
  Draft draft;
  double tilt = 0;
  Curve curve{"Prism let go tilted", "t, s", "degrees", {}, {}};
  run_text(fmt::format(R"(
[domain]
max = [{0}, 0.6, {0}]
resolution = {1}
[time]
fps = 25
frames = 75
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, 0.3, {0}]
[[body]]
name = "prism"
shape = "box"
center = [0.4, 0.29, 0.4]
size = [{2}, {3}, {4}]
rotate = [0, 0, 8]
mesh = "grid6"
cells = [8, 4, 7]
young = 1e6
density = {5}
damping_mass = 5
{6})",
                       side, resolution, width, height, length, share * water, gauges(side, 0.6)),
           "tilted_prism", [&](const StepReport& r, const World& w, const Workspace&) {
             const Body& body = w.bodies[0];
             const Mat3 turn = rotation_xyz(Vec3(0, 0, 8));
             Vec3 ends[2] = {Vec3::Zero(), Vec3::Zero()};
             int counts[2] = {0, 0};
             for (std::size_t i = 0; i < body.x.size(); ++i) {
               const double along = (turn.transpose() * (body.rest->mesh.x[i] - Vec3(0.4, 0.29, 0.4))).x();
               if (std::abs(along) < width / 2 - 1e-9) continue;
               ends[along > 0] += body.x[i], ++counts[along > 0];
             }
             const Vec3 axis = ends[1] / counts[1] - ends[0] / counts[0];
             const double degrees = std::atan2(axis.y(), axis.x()) * 180 / M_PI;
             curve.measured.push_back({r.time, degrees});
             curve.reference.push_back({r.time, 0});
             if (r.time < settled) return;
             tilt = std::max(tilt, std::abs(degrees));
             const double bottom = r.bodies[0].center.y() - height / 2, area = width * length;
             const double level = (r.liquid.volume - area * bottom) / (side * side - area);
             draft.balance.add((level - bottom) / height, r.dt);
             draft.probes.add((level_by_gauges(r) - bottom) / height, r.dt);
           });
  return {{within("draft over height, level by volume", draft.balance.value(), share, tolerance, "",
                  "Archimedes; half a cell, a flat floor feels one pressure a cell"),
           reported("draft over height, level by gauges", draft.probes.value(), "", "Archimedes"),
           at_most("tilt once settled", tilt, 1, "degrees", "it floats upright")},
          {curve}};
}

Outcome hydrostatic_plate() {
  // w = q L⁴ / 384 D is Kirchhoff's plate; with shear the limit of a solid model is 7.11e-5 m.
  constexpr double limit = -7.11e-5, thickness = 0.05, young = 67.5e9, nu = 0.34, cell = 0.0125;
  const double stiffness = young * std::pow(thickness, 3) / 12 / (1 - nu * nu);
  const double kirchhoff = -g * (water * 2 + 2700 * thickness) / 384 / stiffness;
  Outcome out;
  Curve curve{"Plate under water: deflection over Kirchhoff's, by layers", "layers", "", {}, {}};
  double below = 0;
  for (const int layers : {4, 8, 12}) {
    Mean middle;
    run_text(fmt::format(R"(
[domain]
min = [0, -0.25, 0]
max = [1, 2.25, 1]
resolution = 200
slab = 1
[time]
fps = 100
frames = 16
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 2, {0}]
[[body]]
name = "plate"
shape = "box"
min = [0, -0.05, 0]
max = [1, 0, {0}]
mesh = "grid6"
cells = [{1}, {2}, 1]
young = 67.5e9
poisson = 0.34
density = 2700
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold]]
type = "pin"
side = "x_max"
{3}
[elastic]
contact = false
)",
                         cell, 20 * layers, layers, rollers({"z_min", "z_max"})),
             "hydrostatic_plate", [&](const StepReport& r, const World& w, const Workspace&) {
               if (r.time < 0.08) return;  // backward Euler has damped it: its period in water is 14 ms
               middle.add(displacement(w.bodies[0], [](const Vec3& x) { return std::abs(x.x() - 0.5) < 1e-9; }).y(),
                          r.dt);
               double count = 0;
               for (const Vec3& x : w.particles.x) count += x.y() < -0.5 * thickness;
               below = std::max(below, count);
             });
    curve.measured.push_back({layers, middle.value() / kirchhoff});
    curve.reference.push_back({layers, limit / kirchhoff});
    if (layers == 12)
      out.results.push_back(
          within("deflection in the middle, 12 layers", middle.value(), limit, -0.05 * limit, "m", "plate with shear"));
    out.results.push_back(reported(fmt::format("over Kirchhoff's, {} layers", layers), middle.value() / kirchhoff, "",
                                   "linear tets: 0.82, 0.97, 1.00 with 4, 8, 12"));
  }
  out.results.push_back(at_most("particles that came through the plate", below, 0, "", "it is the floor"));
  out.curves = {curve};
  return out;
}

Outcome stability() {
  const std::string source = "ZarifiBatty17 sec. 8";
  const double mass = 0.1, stiffness = 5e-4;
  const double squeeze = 2 * water * 50 * 0.8 / (1e7 / (3 * (1 - 2 * 0.35)));
  const BeamRun strong = beam("strong", mass, stiffness), undamped = beam("strong", 0, 0);
  const BeamRun damping_only = beam("damping_only", mass, stiffness), weak = beam("weak", mass, stiffness);
  Outcome out;
  for (const auto& [run, name] : {std::pair{&strong, "strong"}, {&undamped, "strong, no damping"}}) {
    out.results.push_back(at_least(fmt::format("{}: completed", name), run->completed, 1, "", source));
    out.results.push_back(at_most(fmt::format("{}: largest displacement", name), run->furthest, 0.7, "m",
                                  "the beam's length: it bends, and stays in one piece"));
    out.results.push_back(at_most(fmt::format("{}: elastic energy, last third over before", name),
                                  run->elastic_late / run->elastic_early, 1, "", "the blow was the hardest"));
    out.results.push_back(at_most(fmt::format("{}: largest energy over that at the start", name), run->energy, 1, "",
                                  "nothing adds any"));
    out.results.push_back(at_most(fmt::format("{}: largest change of the beam's volume", name), run->volume, squeeze,
                                  "of V", "2 ρ g H over the bulk modulus: weight and stagnation"));
    out.results.push_back(reported(fmt::format("{}: mean rise of the tip", name), run->rise, "m", source));
  }
  out.results.push_back(reported("mean step", strong.dt, "s", "the longest that waves allow"));
  out.results.push_back(at_least("damping only: completed", damping_only.completed, 1, "", source));
  out.results.push_back(at_least("damping only: mean rise of the tip over strong's", damping_only.rise / strong.rise, 2,
                                 "", "it wrongly surfaces: ZarifiBatty17 sec. 8"));
  out.results.push_back(at_least("damping only: elastic energy over strong's", damping_only.elastic / strong.elastic,
                                 10, "", "what holds the beam acts too late"));
  out.results.push_back(at_most("weak: completed", weak.completed, 0, "", source));
  out.results.push_back(reported("weak: fails at", weak.end, "s", source));
  out.results.push_back(at_least("weak: largest displacement over the beam's length", weak.furthest / 0.7, 2, "",
                                 "extreme distortion: ZarifiBatty17 sec. 8"));
  for (const auto& [run, name] :
       {std::pair{&strong, "strong"}, {&undamped, "strong, no damping"}, {&damping_only, "damping only"}})
    out.curves.push_back({fmt::format("Rise of the beam's tip, {}", name), "t, s", "m", run->tip, strong.tip});
  return out;
}

}  // namespace coracle::validation
