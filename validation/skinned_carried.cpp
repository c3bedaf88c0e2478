// What characters carry out of the water, on their skin and by the grid alone.
#include "coracle/scene/scenes.h"
#include "coracle/scene/sizes.h"
#include "coracle/simulation.h"
#include "coracle/step/skinned/skin_frame.h"
#include "validation/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle::validation {
namespace {

struct Carrier {
  const char* scene;
  double from, to;  // s: the mean over these times
};

struct Carried {
  double probe = 0;        // m³ above the pool, the mean
  double particle = 0;     // m³
  double worst_error = 0;  // of the total
};

Carried run_carrier(const Carrier& c, const std::string& method, int resolution) {
  Scene scene =
      load_scene(find_scene(c.scene), {{"method", method}, {"domain.resolution", std::to_string(resolution)}}, "quick");
  scene.time.frames = std::min(scene.time.frames, int(std::ceil(c.to * scene.time.fps)));
  Carried found;
  found.particle = std::pow(cell_size(scene.domain), 3) / 8;
  double time = 0;
  for (Simulation sim(scene); !sim.done();)
    sim.frame([&](const StepReport& r) {
      if (const auto& s = r.liquid().skinned; s)
        found.worst_error = std::max(found.worst_error, std::abs(s->error) / s->total);
      if (r.time < c.from) return;
      found.probe += r.dt * r.probes.at(0), time += r.dt;
    });
  found.probe /= time;
  return found;
}

}  // namespace

Outcome skinned_carried() {
  // The hand is up from 3 s on, the bather stands from 2 s on, and the whale is highest in between.
  const Carrier carriers[] = {{"hand", 3.2, 3.8}, {"bather", 3, 5}, {"whale", 1.5, 4}};
  Outcome out;
  for (const Carrier& c : carriers) {
    const int coarse = load_scene(find_scene(c.scene), {}, "quick").domain.resolution;
    double error = 0;
    for (const int resolution : {coarse, 2 * coarse}) {
      const Carried alone = run_carrier(c, "cutcell", resolution), skin = run_carrier(c, "skinned", resolution);
      const std::string name = fmt::format("{}, {} cells: ", c.scene, resolution),
                        source = "mean volume above the pool";
      out.results.push_back(reported(name + "by the grid alone", 1e3 * alone.probe, "l", source));
      out.results.push_back(
          reported(name + "a particle of the grid", 1e3 * alone.particle, "l", "an eighth of a cell"));
      out.results.push_back(reported(name + "with a skin", 1e3 * skin.probe, "l", source));
      if (std::string(c.scene) == "whale")
        out.results.push_back(at_least(name + "with a skin over the grid alone", skin.probe / alone.probe, 2, "",
                                       "its sheet is thinner than a cell, and more than its spray"));
      error = std::max(error, skin.worst_error);
    }
    out.results.push_back(at_most(fmt::format("{}: error of all liquid, of the total", c.scene), error, 1e-12, "",
                                  "what one part loses another gets"));
  }
  return out;
}

Outcome skinned_bather() {
  // Films on steep skin drain as t^−½ [Jeffreys30] once they are thicker than √(νz/gt). Landau and Levich's film, of
  // less than 0.1 mm, is not so within 5 s: here she takes 0.3 mm along.
  const Scene scene = load_scene(find_scene("bather"), {{"solid.bather.skin.entrain", "0.0003"}}, "quick");
  constexpr double risen = 2, left = 1;  // s: when she stands; when the skin left the water, the middle of her rise
  constexpr double level = 0.95;         // m, above the waves
  const auto on_steep_skin = [&](const World& world) {
    const WetSkin& skin = liquid_of(world).skins[0];
    const Solid& solid = world.solids[skin.solid];
    const SkinEdges edges = find_skin_edges(solid.rest->tris);
    SkinFrame frame;
    const std::vector<Vec3> still(solid.x.size(), Vec3::Zero());
    update_skin_frame(edges, {.tris = solid.rest->tris, .x = solid.x, .v = solid.v, .a = still}, frame);
    double volume = 0;
    for (std::size_t t = 0; t < skin.film.volume.size(); ++t) {
      const Vec3i& n = solid.rest->tris[t];
      const double height = (solid.x[n[0]] + solid.x[n[1]] + solid.x[n[2]]).y() / 3;
      if (std::abs(frame.normal[t].y()) < 0.5 && height > level) volume += skin.film.volume[t];
    }
    return volume;
  };
  Outcome out;
  Curve curve{"Film on the bather's steep skin", "t since the middle of her rise, s", "mL", {}, {}};
  curve.log = true;
  double drips = 0, last_drip = 0;
  for (Simulation sim(scene); !sim.done();) {
    sim.frame([&](const StepReport& r) {
      const double hanging = r.liquid().skinned->drops;
      if (r.time > risen && hanging > drips) last_drip = r.time;
      drips = hanging;
    });
    if (sim.time() > risen + 0.5) curve.measured.emplace_back(sim.time() - left, 1e6 * on_steep_skin(sim.world()));
  }
  // The slope over the last octave and a quarter.
  const auto& [t1, v1] =
      *std::find_if(curve.measured.begin(), curve.measured.end(), [](const auto& p) { return p.first >= 2.5; });
  const auto& [t2, v2] = curve.measured.back();
  for (const auto& [t, v] : curve.measured) curve.reference.emplace_back(t, v2 * std::sqrt(t2 / t));
  out.results = {within("exponent of the film's volume over time", std::log(v2 / v1) / std::log(t2 / t1), -0.5, 0.1, "",
                        "Jeffreys 1930"),
                 at_least("drops fall until, after she stands", last_drip - risen, 4.5, "s", "she drips for 5 s")};
  out.curves = {curve};
  return out;
}

}  // namespace coracle::validation
