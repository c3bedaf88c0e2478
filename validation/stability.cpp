// A light stiff beam in a dam break [ZarifiBatty17 sec. 8].
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

struct BeamRun {
  bool completed = false;
  double end = 0;            // s, when the run ended
  double rise = 0;           // m, of the tip, mean of the second half
  double furthest = 0;       // m, largest distance of any node from its rest position
  double elastic = 0;        // J, largest
  double elastic_late = 0;   // J, largest in the last third
  double elastic_early = 0;  // J, largest before
  double energy = 0;         // largest total energy over that at the start
  double volume = 0;         // largest relative change of the beam's volume
  double dt = 0;             // s, mean
  Points tip;
};

constexpr double beam_seconds = 1.2;

BeamRun beam(const std::string& coupling, double damping_mass, double damping_stiffness) {
  const double gravity = 50, density = 50, length = 0.7, bottom = 0.1, volume = 0.07 * 0.07 * length;
  BeamRun out;
  Mean rise;
  double start = 0, steps = 0;
  out.completed = run_to_the_end(
      fmt::format(R"(
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
element = "linear"
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
          out.furthest = std::max(out.furthest, (body.x[i] - body.rest->x[i]).norm());
        out.elastic = std::max(out.elastic, b.elastic_energy);
        double& most = r.time > 2 * beam_seconds / 3 ? out.elastic_late : out.elastic_early;
        most = std::max(most, b.elastic_energy);
        const double energy = r.liquid().kinetic_energy + r.liquid().potential_energy + b.kinetic_energy +
                              b.elastic_energy + density * volume * gravity * b.center.y();
        if (start == 0) start = energy;  // after one step: almost no energy is lost yet
        out.energy = std::max(out.energy, energy / start);
        out.volume = std::max(out.volume, std::abs(b.volume / volume - 1));
        out.end = r.time;
        ++steps;
      });
  out.rise = rise.value();
  out.dt = out.end / steps;
  return out;
}

}  // namespace

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
    out.results.push_back(at_most(fmt::format("{}: largest energy over that at the start", name), run->energy, 1.001,
                                  "", "nothing adds any"));
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
  out.results.push_back(at_least("weak: largest displacement over the beam's length", weak.furthest / 0.7, 1, "",
                                 "where strong must stay below: extreme distortion, ZarifiBatty17 sec. 8"));
  for (const auto& [run, name] :
       {std::pair{&strong, "strong"}, {&undamped, "strong, no damping"}, {&damping_only, "damping only"}})
    out.curves.push_back({fmt::format("Rise of the beam's tip, {}", name), "t, s", "m", run->tip, strong.tip});
  return out;
}

}  // namespace coracle::validation
