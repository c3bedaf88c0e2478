// Bodies float in liquid of smoothed particles at the draft of Archimedes' principle.
#include "validation/floating.h"
#include "validation/sph_setup.h"

#include <fmt/format.h>

namespace coracle::validation {
namespace {

constexpr FloatingIn particles{.method = "proxy", .resolution = 16, .more = ""};
constexpr double spacing = 0.5 * tank_side / particles.resolution;  // m, D

}  // namespace

Outcome sph_archimedes() {
  Outcome out;
  const FloatingPrism prism = float_prism(particles);
  const std::string one = "Archimedes; one D";
  out.results = {within("prism: draft over height, level by gauges", prism.draft.probes.value(), prism_share,
                        spacing / prism_height, "", one),
                 within("prism: draft over height, level by volume", prism.draft.balance.value(), prism_share,
                        spacing / prism_height, "", one),
                 at_most("prism: tilt once settled", prism.tilt, 1, "degrees", "it floats upright")};
  out.curves = {prism.curve};
  for (const FloatingBall& ball : {FloatingBall{0.2, 0.5743, "young = 1e6"}, FloatingBall{0.5, 1.0, "young = 1e6"}}) {
    const std::string name = fmt::format("sphere, ρs/ρf {}: d / R", ball.share);
    Curve curve{"Floating sphere, ρs/ρf " + fmt::format("{}", ball.share), "t, s", "d / R", {}, {}};
    const Draft draft = float_ball(ball, particles, curve);
    out.results.push_back(within(name + ", level by gauges", draft.probes.value(), ball.ratio, spacing / 0.2, "", one));
    out.results.push_back(
        within(name + ", level by volume", draft.balance.value(), ball.ratio, spacing / 0.2, "", one));
    out.curves.push_back(curve);
  }
  return out;
}

Outcome sph_floating_cube() {
  // The level by balance of volume, as for the prism (floating.cpp). The cube is let go at its draft.
  constexpr double side = 0.5, fill = 0.25, edge = 0.2, seconds = 1.5, settled = 0.75;
  Outcome out;
  for (const char* splitting : splittings)
    for (const double dt : {0.002, 0.005, 0.008}) {
      Mean draft, square;
      double iterations = 0, steps = 0;
      run_by_steps(fmt::format(R"(
method = "proxy"
[domain]
max = [{0}, 0.5, {0}]
resolution = 10
[liquid]
viscosity = 0.5
[proxy]
splitting = "{1}"
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {2}, {0}]
[[body]]
name = "cube"
shape = "box"
center = [0.25, {2}, 0.25]
size = [{3}, {3}, {3}]
mesh = "grid6"
cells = [4, 4, 4]
young = 1e5
density = 500
)",
                               side, splitting, fill, edge),
                   "sph_floating_cube", dt, seconds, [&](const StepReport& r, const World& w, const Workspace&) {
                     iterations += std::get<SphReport>(r.fluid).cg_iterations, ++steps;
                     if (r.time < settled) return;
                     const Momenta cube = momenta(w.bodies);
                     const double bottom = cube.center.y() - edge / 2, speed = cube.linear.y() / cube.mass;
                     const double level = (r.liquid().volume - edge * edge * bottom) / (side * side - edge * edge);
                     draft.add((level - bottom) / edge, r.dt);
                     square.add(speed * speed, r.dt);
                   });
      const std::string name = fmt::format(", {} ms, {}", 1000 * dt, splitting);
      out.results.push_back(reported("draft over height" + name, draft.value(), "", "Archimedes: 0.5"));
      out.results.push_back(reported("rms speed of the cube" + name, std::sqrt(square.value()), "m/s", "none at rest"));
      out.results.push_back(reported("iterations of conjugate gradients a step" + name, iterations / steps, "", ""));
    }
  return out;
}

}  // namespace coracle::validation
