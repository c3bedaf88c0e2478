// Liquid of smoothed particles without bodies: beside experiments, theory and cut cells.
#include "validation/figures.h"
#include "validation/liquid_runs.h"
#include "validation/sph_setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {

Outcome sph_dam_break() {
  constexpr int resolution = 120;
  const DamBreak sph = break_dam({.method = "proxy", .resolution = resolution});
  DamBreak grid = break_dam({.resolution = resolution});
  Outcome out;
  double ahead = 0;
  for (const auto& [t, z] : martin_moyce) {
    const double front = value_at(sph.front.measured, t), beside = value_at(grid.front.measured, t);
    const std::string at = fmt::format("T = {}", t);
    out.results.push_back(within("Z at " + at, front, z, 0.1 * z, "", "MartinMoyce52"));
    out.results.push_back(within("over that of cutcell at " + at, front / beside, 1, 0.05, "", "same cells"));
    ahead = std::max(ahead, value_at(sph.tip.measured, t) / z - 1);
  }
  out.results.push_back(reported("tip of the wedge, furthest ahead", ahead, "of Z", "MartinMoyce52"));
  out.curves = {sph.front, sph.tip};
  out.curves[0].others.push_back({"cutcell", grid.front.measured});
  out.curves[1].others.push_back({"cutcell", grid.tip.measured});
  return out;
}

Outcome sph_sloshing() {
  // D is 16 mm. The smaller wave rises and falls by 1.3 D, the larger one by 3.2 D.
  Outcome out;
  for (const double slope : {0.04, 0.1}) {
    const Slosh found = slosh({.method = "proxy", .resolution = 32}, slope);
    const std::string name = fmt::format(", slope {}", slope);
    double last = 0;
    for (const auto& [t, x] : found.curve.measured)
      if (t > 5 - found.expected) last = std::max(last, std::abs(x));
    out.results.push_back(within("period, L = 1 m, h = 0.5 m" + name, found.period, found.expected,
                                 0.05 * found.expected, "s", "ω² = g k tanh k h"));
    out.results.push_back(at_least("half periods seen" + name, found.half_periods, 6, "", "five seconds"));
    out.results.push_back(reported("swing in the last period over that at the start" + name,
                                   last / std::abs(found.curve.measured[0].second), "", "1 without losses"));
    out.curves.push_back(found.curve);
  }
  return out;
}

Outcome sph_volume() {
  // At rest the liquid is 0.24 m deep. It loses ρ g H/2k of its volume; the rest is what particles crowd.
  constexpr double depth = 0.24, stiffness = 1e5;
  Curve curve{"Volume of a dam break of particles", "t, s", "V / V₀", {}, {}};
  const double worst = volume_drift({.method = "proxy", .resolution = 24}, curve);
  return {
      {at_most("largest drift over 5 s", worst, 0.03 + water * g * depth / (2 * stiffness), "of V", "3 % and ρ g H/2k"),
       reported("drift at the end", 1 - curve.measured.back().second, "of V", "ρ g H/2k = 0.012")},
      {curve}};
}

}  // namespace coracle::validation
