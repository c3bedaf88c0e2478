// Runs of the whole step against theory and experiment.
#include "validation/figures.h"
#include "validation/liquid_runs.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

double rms_speed(const Particles& particles) {
  double sum = 0;
  for (const Vec3f& v : particles.v) sum += v.cast<double>().squaredNorm();
  return std::sqrt(sum / double(particles.size()));
}

}  // namespace

Outcome still_water() {
  constexpr double radius = 0.41;
  const Vec3 up = Vec3(0.31, 0.87, 0.22).normalized(), gravity = -g * up, center(0.5013, 0.4987, 0.5029);
  double squares[2] = {0, 0};
  double times[2] = {0, 0};
  Curve curve{"Speed of still water", "t, s", "rms speed / √(gR)", {}, {}};
  run_text(fmt::format(R"(
gravity = [{}, {}, {}]
[domain]
resolution = 48
[time]
fps = 20
frames = 20
[[liquid.region]]
shape = "half_space"
point = [{}, {}, {}]
normal = [{}, {}, {}]
[[solid]]
name = "bowl"
shape = "sphere"
center = [{}, {}, {}]
radius = {}
container = true
)",
                       gravity.x(), gravity.y(), gravity.z(), center.x() + 0.05 * up.x(), center.y() + 0.05 * up.y(),
                       center.z() + 0.05 * up.z(), up.x(), up.y(), up.z(), center.x(), center.y(), center.z(), radius),
           "still_water", [&](const StepReport& r, const World& w, const Workspace&) {
             const int half = r.time <= 0.5 ? 0 : 1;
             const double v = rms_speed(liquid_of(w).particles);
             squares[half] += v * v * r.dt;
             times[half] += r.dt;
             curve.measured.push_back({r.time, v / std::sqrt(g * radius)});
           });
  const double first = std::sqrt(squares[0] / times[0]), second = std::sqrt(squares[1] / times[1]);
  const double all = std::sqrt((squares[0] + squares[1]) / (times[0] + times[1]));
  return {{at_most("rms speed over √(gR)", all / std::sqrt(g * radius), 0.01, "", "still water stays still"),
           at_most("rms speed, second half over first", second / first, 1.1, "", "and does not wake up")},
          {curve}};
}

Slosh slosh(const LiquidRun& run, double slope) {
  // The centre of mass oscillates in x with the first mode; higher modes hardly move it.
  const double k = M_PI;
  Slosh found;
  found.expected = 2 * M_PI / std::sqrt(g * k * std::tanh(0.5 * k));
  std::vector<double> crossings;
  double before = 0, time_before = 0;
  run_text(
      fmt::format(R"(
method = "{}"
[domain]
max = [1, 1, 1]
resolution = {}
slab = 4
[time]
fps = 50
frames = 250
[[liquid.region]]
shape = "half_space"
point = [0.5, 0.5, 0]
normal = [{}, 1, 0]
{})",
                  run.method, run.resolution, -slope, run.more),
      "sloshing", [&](const StepReport& r, const World& w, const Workspace&) {
        double mean = 0;
        for (const Vec3& x : particle_places(w)) mean += x.x();
        mean = mean / double(particle_places(w).size()) - 0.5;
        if (before * mean < 0) crossings.push_back(time_before + (r.time - time_before) * before / (before - mean));
        before = mean, time_before = r.time;
        Curve& curve = found.curve;
        curve.measured.push_back({r.time, mean});
        curve.reference.push_back({r.time, curve.measured[0].second * std::cos(2 * M_PI * r.time / found.expected)});
      });
  found.half_periods = double(crossings.size());
  if (crossings.size() >= 3) found.period = 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
  return found;
}

Outcome sloshing() {
  const Slosh found = slosh({.resolution = 64});
  return {{within("period, L = 1 m, h = 0.5 m", found.period, found.expected, 0.02 * found.expected, "s",
                  "ω² = g k tanh k h"),
           at_least("half periods seen", found.half_periods, 6, "", "five seconds")},
          {found.curve}};
}

const Points martin_moyce{{1.219, 1.474}, {1.997, 2.292}, {2.547, 2.995}, {3.345, 4.134}};

DamBreak break_dam(const LiquidRun& run) {
  // Without friction and surface tension the water has a thin wedge in front, whose tip is ahead of the blunt front of
  // the experiments. The front is therefore the place that has 99 % of the water behind it; the tip is reported too.
  constexpr double a = 0.2;
  DamBreak found;
  run_text(fmt::format(R"(
method = "{}"
[domain]
max = [1.2, 0.6, 1]
resolution = {}
slab = 4
[time]
fps = 100
frames = 36
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.2, 0.4, 1]
{})",
                       run.method, run.resolution, run.more),
           "dam_break_front", [&](const StepReport& r, const World& w, const Workspace&) {
             const double t = r.time * std::sqrt(2 * g / a);
             std::vector<double> x;
             for (const Vec3& p : particle_places(w)) x.push_back(p.x());
             const auto behind = x.begin() + std::ptrdiff_t(0.99 * double(x.size()));
             std::nth_element(x.begin(), behind, x.end());
             found.front.measured.push_back({t, *behind / a});
             found.tip.measured.push_back({t, *std::max_element(behind, x.end()) / a});
           });
  for (Curve* c : {&found.front, &found.tip}) {
    c->reference = martin_moyce;
    c->others = {{"KoshizukaOka96", {{1.153, 1.505}, {1.935, 2.241}, {2.719, 3.003}, {3.096, 3.624}}}};
  }
  return found;
}

Outcome dam_break_front() {
  const DamBreak dam = break_dam({.resolution = 120});
  Outcome out;
  double ahead = 0;
  for (const auto& [t, z] : martin_moyce) {
    out.results.push_back(
        within(fmt::format("Z at T = {}", t), value_at(dam.front.measured, t), z, 0.1 * z, "", "MartinMoyce52"));
    ahead = std::max(ahead, value_at(dam.tip.measured, t) / z - 1);
  }
  out.results.push_back(reported("tip of the wedge, furthest ahead", ahead, "of Z", "MartinMoyce52"));
  out.curves = {dam.front, dam.tip};
  return out;
}

double volume_drift(const LiquidRun& run, Curve& curve) {
  double worst = 0;
  run_text(fmt::format(R"(
method = "{}"
[domain]
resolution = {}
[time]
fps = 24
frames = 120
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, 0.6, 1]
{})",
                       run.method, run.resolution, run.more),
           "dam_break_volume", [&](const StepReport& r, const World&, const Workspace&) {
             const double ratio = r.liquid().volume / r.liquid().expected_volume;
             worst = std::max(worst, std::abs(ratio - 1));
             curve.measured.push_back({r.time, ratio});
           });
  return worst;
}

Outcome dam_break_volume() {
  Curve with{"Volume of a dam break, with correction", "t, s", "V / V₀", {}, {}}, without;
  return {
      {at_most("largest drift over 5 s", volume_drift({.resolution = 64}, with), 0.005, "of V", "volume is constant"),
       reported("largest drift without correction",
                volume_drift({.resolution = 64, .more = "[liquid]\nvolume_correction = false"}, without), "of V",
                "volume is constant")},
      {with}};
}

Outcome free_fall() {
  Outcome out;
  const std::string body =
      "[[body]]\nname = 'far'\nshape = 'box'\ncenter = [0.15, 0.15, 0.15]\nsize = [0.1, 0.1, 0.1]\nmesh = "
      "'grid5'\nelement = 'linear'\ncells = [1, 1, 1]\n[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n";
  for (const bool with : {false, true}) {
    double speed = 0, way = 0, start = 0;
    run_text(
        "[domain]\nmax = [1, 2, 1]\nresolution = 96\n[time]\nfps = 20\nframes = 6\ncfl = 2\n[[liquid.region]]\n"
        "shape = 'sphere'\ncenter = [0.5, 1.5, 0.5]\nradius = 0.2\n" +
            (with ? body : ""),
        "free_fall", [&](const StepReport& r, const World& w, const Workspace&) {
          const Liquid& liquid = liquid_of(w);
          const double count = double(liquid.particles.size());
          const double mass = water / 8 * liquid.grid.cell_volume() * count, fallen = 0.5 * g * r.time * r.time;
          double height = 0;
          for (const Vec3& x : liquid.particles.x) height += x.y() / count;
          if (start == 0) start = height + fallen;
          speed = std::abs(r.liquid().momentum.y() / mass / (-g * r.time) - 1);
          way = std::abs((start - height) / fallen - 1);
        });
    const std::string where = with ? "with a body far away" : "alone";
    out.results.push_back(at_most("speed after 0.3 s over g t, less 1, " + where, speed, 0.001, "", "free fall"));
    out.results.push_back(at_most("way after 0.3 s over ½ g t², less 1, " + where, way, 0.001, "", "free fall"));
  }
  return out;
}

// A block that closes a floor of two plates, flush with both, off the planes of the grid and tilted against it.
Outcome flush_block() {
  Outcome out;
  for (const double tilt : {0.0, 7.0}) {
    std::size_t below = 0, all = 0;
    double speed = 0;
    const double c = std::cos(tilt * M_PI / 180), s = std::sin(tilt * M_PI / 180);
    const auto at = [&](double x) { return fmt::format("[{}, {}, 0.5]", 0.5 + c * (x - 0.5), 0.4 + s * (x - 0.5)); };
    run_text(fmt::format("[domain]\nresolution = 24\n[time]\nfps = 20\nframes = 10\n[[liquid.region]]\nshape = "
                         "'box'\nmin = [0, 0.5, 0]\nmax = [1, 0.8, 1]\n[[solid]]\nname = 'left'\nshape = 'box'\ncenter "
                         "= {0}\nsize = [0.6, 0.17, 1.3]\nrotate = [0, 0, {3}]\n[[solid]]\nname = 'right'\nshape = "
                         "'box'\ncenter = {1}\nsize = [0.6, 0.17, 1.3]\nrotate = [0, 0, {3}]\n[[body]]\nname = "
                         "'block'\nshape = 'box'\ncenter = {2}\nsize = [0.374, 0.17, 1]\nrotate = [0, 0, {3}]\nmesh = "
                         "'grid6'\ncells = [2, 1, 4]\n[[body.hold]]\ntype = 'pin'\n[[body.hold.region]]\nshape = "
                         "'box'\nmin = [-1, -1, -1]\nmax = [2, 2, 2]\n[contact]\nkind = 'none'\n",
                         at(0.5 - 0.187 - 0.3), at(0.5 + 0.187 + 0.3), at(0.5), tilt),
             "flush_block", [&](const StepReport& r, const World& w, const Workspace&) {
               below = 0;
               for (const Vec3& x : liquid_of(w).particles.x) below += x.y() < 0.3 + s / c * (x.x() - 0.5);
               all = liquid_of(w).particles.size();
               speed = std::max(speed, r.liquid().max_speed);
             });
    const std::string which = fmt::format(", tilted by {}°", tilt);
    out.results.push_back(at_most("particles that pass the floor" + which, double(below), 0, "", "it has no slit"));
    out.results.push_back(
        at_least("particles above it" + which, double(all), 1000, "", "the case would be void without"));
  }
  return out;
}

// The front meets the far wall after 0.29 s. What is lost then is lost in the impact.
Outcome dam_break_energy() {
  Outcome out;
  for (const double cfl : {0.5, 1.0, 2.0, 4.0}) {
    double start = 0, before = 0, after = 0;
    run_text(fmt::format("[domain]\nresolution = 48\n[time]\nfps = 24\nframes = 10\ncfl = {}\n[[liquid.region]]\n"
                         "shape = 'box'\nmin = [0, 0, 0]\nmax = [0.35, 0.6, 1]\n",
                         cfl),
             "dam_break_energy", [&](const StepReport& r, const World&, const Workspace&) {
               const double e = r.liquid().kinetic_energy + r.liquid().potential_energy;
               if (start == 0) start = e;
               if (r.time < 0.28) before = e / start;
               if (r.time < 0.4 + 1e-9) after = e / start;
             });
    const std::string at = fmt::format(", cfl {}", cfl);
    out.results.push_back(
        at_least("energy left before the front meets the wall" + at, before, 0.97, "of that at the start", "no loss"));
    out.results.push_back(
        cfl == 2 ? at_least("the same after 0.4 s" + at, after, 0.97, "of that at the start", "little loss")
                 : reported("the same after 0.4 s" + at, after, "of that at the start", "little loss"));
  }
  return out;
}

}  // namespace coracle::validation
