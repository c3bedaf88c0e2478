// Liquid of smoothed particles at rest: a particle on a plane, a column of water, two liquids above each other.
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/sph/kernels.h"
#include "coracle/step/sph/sph_fields.h"
#include "coracle/step/sph/sph_solve.h"
#include "validation/figures.h"
#include "validation/sph_setup.h"

#include <fmt/format.h>

namespace coracle::validation {
namespace {

constexpr double default_ghost = 0.8;

// The cross-section of a particle, on which the barrier acts: π (3 J V0 / 4π)^⅔.
double section(double volume) { return M_PI * std::pow(3 * volume / (4 * M_PI), 2.0 / 3); }

// What pushes the liquid up from the floor, y = 0, in N: the barrier, and the share of the kernel beyond the floor, of
// which p J V0 (−∂B/∂d) is the force on a particle (step/sph/sph_system.h).
struct FloorForce {
  double barrier = 0, ghost = 0;
  double all() const { return barrier + ghost; }
};
FloorForce floor_force(const World& world, const SphWork& work, double stiffness, double ghost) {
  const SphLiquid& liquid = sph_of(world);
  const double spacing = particle_spacing(liquid.grid), support = 2 * spacing, volume = particle_volume(liquid.grid);
  const double reach = (ghost > 0 ? 0.6 : 0.5) * spacing;
  FloorForce force;
  for (std::size_t i = 0; i < liquid.size(); ++i) {
    const Vec3& x = liquid.x[i];
    const double d = x.y() - world.domain.lo.y(), j = work.ratio[i];
    if (d >= support) continue;
    force.barrier += barrier_pressure({.kappa = 0.1 * stiffness * section(j * volume), .reach = reach}, d);
    double slope = ghost * spiky_share_slope(d, support);
    for (const int a : {0, 2})
      for (const double side : {x[a] - world.domain.lo[a], world.domain.hi[a] - x[a]})
        slope *= 1 - ghost * cubic_share(side, support);
    force.ghost += stiffness * (1 - j) * j * volume * slope;
  }
  return force;
}

// From `lo` to `hi`, and at least `margin` away from the other sides.
bool is_inside(const World& world, const Vec3& x, double lo, double hi, double margin) {
  const auto beside = [&](int a) { return std::min(x[a] - world.domain.lo[a], world.domain.hi[a] - x[a]) < margin; };
  return x.y() > lo && x.y() < hi && !beside(0) && !beside(2);
}

// −dp/dy by least squares over these particles.
double pressure_slope(const World& world, const SphWork& work, double stiffness, double lo, double hi, double margin) {
  const SphLiquid& liquid = sph_of(world);
  double n = 0, sy = 0, sp = 0, syy = 0, syp = 0;
  for (std::size_t i = 0; i < liquid.size(); ++i) {
    const Vec3& x = liquid.x[i];
    if (!is_inside(world, x, lo, hi, margin)) continue;
    const double p = stiffness * (1 - work.ratio[i]);
    n += 1, sy += x.y(), sp += p, syy += x.y() * x.y(), syp += x.y() * p;
  }
  return -(n * syp - sy * sp) / (n * syy - sy * sy);
}

// ∂y/∂y as the particles have it, a Σ_j J_j V0 (y_j − y_i) ∂W_ij/∂y with proxy.gradient_scale a, the mean over the same
// particles. Pressure pushes
// with its discrete gradient, which is as much too weak.
double linear_gradient(const World& world, const SphWork& work, double lo, double hi, double margin) {
  const SphLiquid& liquid = sph_of(world);
  const double support = 2 * particle_spacing(liquid.grid), volume = particle_volume(liquid.grid);
  double n = 0, sum = 0;
  for (std::size_t i = 0; i < liquid.size(); ++i) {
    if (!is_inside(world, liquid.x[i], lo, hi, margin)) continue;
    n += 1;
    for (std::size_t j = 0; j < liquid.size(); ++j) {
      const Vec3 x = liquid.x[i] - liquid.x[j];
      const double r = x.norm();
      if (j != i && r < support) sum += work.ratio[j] * volume * spiky_slope(r, support) * x.y() * x.y();
    }
  }
  return ProxyOptions{}.gradient_scale * sum / n;
}

}  // namespace

Outcome sph_particle() {
  Outcome out;
  constexpr double spacing = 0.01, kappa = 1e4, reach = 0.6 * spacing;
  const double weight = water * std::pow(spacing, 3) * g;
  for (const char* splitting : splittings) {
    double height = 0;
    run_text(fmt::format(R"(
method = "proxy"
[domain]
max = [0.2, 0.2, 0.2]
resolution = 10
[time]
fps = 50
frames = 150
[proxy]
splitting = "{}"
[[liquid.region]]
shape = "box"
min = [0.1, 0, 0.1]
max = [0.11, 0.01, 0.11]
)",
                         splitting),
             "sph_particle", [&](const StepReport&, const World& w, const Workspace&) { height = sph_of(w).x[0].y(); });
    const double force =
        barrier_pressure({.kappa = kappa * section(std::pow(spacing, 3)), .reach = reach}, height) / weight;
    const std::string carried = fmt::format("force of the floor over the weight, {}", splitting);
    const std::string place = fmt::format("rests at, over the reach, {}", splitting);
    if (is_exact(splitting)) {
      out.results.push_back(within(carried, force, 1, 2e-3, "", "φ(y) = ρ g D / (1.209 κ)"));
      out.results.push_back(within(place, height / reach, 0.9815, 1e-3, "", "the same, D = 10 mm, κ = 10 kPa"));
    } else {
      // Their liquid's phase lets the particle fall against the ghosts' share, and by a part of its contact.
      out.results.push_back(reported(carried, force, "", "φ(y) = ρ g D / (1.209 κ)"));
      out.results.push_back(reported(place, height / reach, "", "0.9815, the same"));
    }
  }
  return out;
}

Outcome sph_column() {
  // Column of height H: J = 1 − ρ g (H − Y)/k at the height Y that a layer had. Its volume loses ρ g H/2k, its centre
  // of mass sinks by ρ g H²/3k. Particles at a wall without the ghosts' share crowd by 0.15 to 0.2 D a wall.
  constexpr double depth = 0.5, side = 0.2, stiffness = 2e5, spacing = 0.0125;
  const double head = water * g * depth / stiffness, speed = std::sqrt(g * depth);
  Outcome out;
  struct Run {
    const char* name;
    double viscosity, ghost, bound;
  };
  for (const Run& run : {Run{"ν_f 1 Pa s", 1, default_ghost, 0.01}, Run{"inviscid", 0, default_ghost, 0.03},
                         Run{"inviscid, without ghosts", 0, 0, 0.03}}) {
    Mean floor, barrier, slope, center, volume;
    double rms = 0, gradient = 0;
    Curve curve{fmt::format("Column at rest, {}", run.name), "t, s", "rms speed / √(gH)", {}, {}};
    run_text(fmt::format(R"(
method = "proxy"
[domain]
max = [{0}, 0.6, {0}]
resolution = 24
[time]
fps = 50
frames = 100
[liquid]
viscosity = {1}
[proxy]
stiffness = {2}
ghost = {3}
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {4}, {0}]
)",
                         side, run.viscosity, stiffness, run.ghost, depth),
             "sph_column", [&](const StepReport& r, const World& w, const Workspace& work) {
               const Cloud all = cloud(sph_of(w));
               rms = all.rms_speed / speed;
               curve.measured.push_back({r.time, rms});
               if (r.time < 1) return;
               const FloorForce force = floor_force(w, sph_work(work), stiffness, run.ghost);
               floor.add(force.all() / (all.mass * g), r.dt);
               barrier.add(force.barrier / force.all(), r.dt);
               center.add(all.center.y(), r.dt);
               volume.add(r.liquid().volume / r.liquid().expected_volume, r.dt);
               slope.add(pressure_slope(w, sph_work(work), stiffness, 0.1, 0.4, 2 * spacing), r.dt);
               if (r.time > 2 - 1e-9) gradient = linear_gradient(w, sph_work(work), 0.1, 0.4, 2 * spacing);
             });
    const std::string name = fmt::format(", {}", run.name);
    const double sunk = center.value() / (depth / 2 * (1 - 2 * head / 3));
    const std::string source = "weakly compressible column";
    out.results.push_back(run.ghost > 0 ? within("centre of mass over H/2 − ρ g H²/3k" + name, sunk, 1,
                                                 0.2 * spacing / depth, "", source + "; 0.2 D of a wall's layer")
                                        : reported("centre of mass over H/2 − ρ g H²/3k" + name, sunk, "",
                                                   source + "; five walls' layers crowd"));
    out.results.push_back(reported("volume lost over ρ g H/2k" + name, (1 - volume.value()) / (head / 2), "", source));
    out.results.push_back(within("mean force of the floor over the weight" + name, floor.value(), 1, 0.005, "",
                                 "barrier and ghosts' share, over 1 s"));
    out.results.push_back(reported("share of the barrier in it" + name, barrier.value(), "", ""));
    out.results.push_back(within("−dp/dy over ρ g" + name, slope.value() / (water * g), 1, 0.1, "", "hydrostatics"));
    out.results.push_back(
        reported("discrete gradient of a linear field" + name, gradient, "", "1 on a lattice and in the limit"));
    out.results.push_back(reported("−dp/dy over ρ g, by that gradient" + name, gradient * slope.value() / (water * g),
                                   "", "pressure pushes with its discrete gradient"));
    out.results.push_back(at_most("rms speed after 2 s over √(g H)" + name, rms, run.bound, "", "it is at rest"));
    out.curves.push_back(curve);
  }
  return out;
}

Outcome sph_two_liquids() {
  // J counts particles, not masses: at the interface it has no jump, and pressure only changes its slope.
  constexpr double side = 0.2, depth = 0.1, spacing = 0.01, stiffness = 1e5, oil = 800;
  constexpr double beside = 2 * spacing;
  Outcome out;
  for (const double viscosity : {0.0, 0.5}) {
    Mean places[2], slopes[2], jump;
    double strayed = 0;
    run_text(fmt::format(R"(
method = "proxy"
[domain]
max = [{0}, 0.3, {0}]
resolution = 15
[time]
fps = 50
frames = 100
[liquid]
viscosity = {1}
[[liquid.kind]]
name = "oil"
density = {2}
viscosity = {1}
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {3}, {0}]
[[liquid.region]]
shape = "box"
min = [0, {3}, 0]
max = [{0}, {4}, {0}]
kind = "oil"
)",
                         side, viscosity, oil, depth, 2 * depth),
             "sph_two_liquids", [&](const StepReport& r, const World& w, const Workspace& work) {
               if (r.time < 1) return;
               const SphLiquid& liquid = sph_of(w);
               const std::vector<double>& ratio = sph_work(work).ratio;
               double n[2] = {0, 0}, height[2] = {0, 0}, near[2] = {0, 0}, pressure[2] = {0, 0};
               double across = 0;
               for (std::size_t i = 0; i < liquid.size(); ++i) {
                 const int kind = liquid.kind[i];
                 const double y = liquid.x[i].y();
                 n[kind] += 1, height[kind] += y;
                 across += kind == 0 ? y > depth + beside : y < depth - beside;
                 if (std::abs(y - depth) < spacing) near[kind] += 1, pressure[kind] += stiffness * (1 - ratio[i]);
               }
               strayed = std::max(strayed, across / double(liquid.size()));
               for (const int kind : {0, 1}) places[kind].add(height[kind] / n[kind], r.dt);
               jump.add((pressure[0] / near[0] - pressure[1] / near[1]) / (oil * g * depth), r.dt);
               slopes[0].add(pressure_slope(w, sph_work(work), stiffness, beside, depth - beside, beside), r.dt);
               slopes[1].add(pressure_slope(w, sph_work(work), stiffness, depth + beside, 2 * depth - beside, beside),
                             r.dt);
             });
    const std::string name = fmt::format(", ν_f {} Pa s", viscosity);
    // Compressed by the weight above: water by ρ_o g h + ρ_w g (h − Y), oil by ρ_o g (h − Y).
    const double water_sinks = oil * g * depth * depth / 2 + water * g * depth * depth / 3;
    const double top_sinks = oil * g * depth * depth + water * g * depth * depth / 2;
    const double places_in_theory[2] = {depth / 2 - water_sinks / stiffness,
                                        1.5 * depth - (top_sinks + oil * g * depth * depth / 3) / stiffness};
    for (const int kind : {0, 1}) {
      const char* which = kind == 0 ? "water" : "oil";
      out.results.push_back(within(fmt::format("height of the {}{}", which, name), places[kind].value(),
                                   places_in_theory[kind], 0.2 * spacing, "m",
                                   "weakly compressible layers; 0.2 D of a wall's layer"));
      out.results.push_back(within(fmt::format("−dp/dy over ρ g in the {}{}", which, name),
                                   slopes[kind].value() / ((kind == 0 ? water : oil) * g), 1, 0.1, "", "hydrostatics"));
    }
    out.results.push_back(
        at_most("particles more than 2 D beyond the interface" + name, strayed, 0, "of all", "the heavier lies below"));
    out.results.push_back(reported("water's pressure less oil's, within D of the interface" + name, jump.value(),
                                   "of ρ g h", "(ρ_w + ρ_o) g D/2: 0.11"));
  }
  return out;
}

}  // namespace coracle::validation
