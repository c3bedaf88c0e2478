// A rod is drawn out of a pool: what it carries along on its side, by method skinned and by cutcell.
#include "coracle/step/particles/cells.h"
#include "validation/case.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

namespace coracle::validation {
namespace {

constexpr double radius = 0.1, length = 0.5, level = 0.6, speed = 0.5, coat = 3e-4, nu = 1e-6;  // m, m/s, m²/s
constexpr double start = 0.1, left = start + length / speed, end = left + 2;                    // s

// Upright, its top 0.1 m above the water: nothing falls on it.
std::string rod(const char* method) {
  return fmt::format(R"(
method = "{}"
[domain]
min = [-0.3, 0, -0.3]
max = [0.3, 1.5, 0.3]
resolution = 60
[time]
fps = 50
frames = {}
[[liquid.region]]
shape = "box"
min = [-0.3, 0, -0.3]
max = [0.3, {}, 0.3]
[[solid]]
name = "rod"
shape = "cylinder"
center = [0, {}, 0]
axis = [0, 1, 0]
radius = {}
height = {}
[[solid.motion]]
type = "velocity"
velocity = [0, {}, 0]
start = {}
end = {}
[solid.skin]
entrain = {}
viscosity = {}
)",
                     method, std::lround(50 * end), level, level - 0.5 * length + 0.05, radius, length + 0.1, speed,
                     start, left + 0.3, coat, nu);
}

// m³ on the rod.
struct Held {
  double side = 0, below = 0, top = 0, pendant = 0, tets = 0;
  double error = 0;  // of all liquid, relative
  bool done = false;
};

// Film on the part of the side that was in the water, at the bottom and on top; what is in the tets.
Held held_on(const World& world) {
  Held held;
  const WetSkin& skin = liquid_of(world).skins[0];
  const TriMesh& mesh = *world.solids[0].rest;
  for (std::size_t t = 0; t < mesh.tris.size(); ++t) {
    const Vec3i& k = mesh.tris[t];
    const double up = (mesh.x[k[1]] - mesh.x[k[0]]).cross(mesh.x[k[2]] - mesh.x[k[0]]).normalized().y();
    (up > 0.5 ? held.top : up < -0.5 ? held.below : held.side) += skin.film.volume[t];
    held.pendant += skin.film.pendant[t];
  }
  for (const double m : skin.tets.volume) held.tets += m;
  return held;
}

// Bulk liquid clear of the pool within 5 cm of the rod.
double carried(const World& world) {
  const Liquid& liquid = liquid_of(world);
  double count = 0;
  for (const Vec3& x : liquid.particles.x)
    count += x.y() > level + 2 * liquid.grid.dx && std::hypot(x.x(), x.z()) < radius + 0.05;
  return count * particle_volume(liquid.grid);
}

}  // namespace

Outcome skinned_rod() {
  Held skinned;
  double bulk = 0, plain = 0;
  Curve curve{"Film on the side of a rod", "t since it began to leave, s", "mL", {}, {}};
  // From where the side met the water it drains by Jeffreys' law, for as long as that place has been out of it: liquid
  // that comes with the side is too thick to matter, gδ²/ν = 0.9 m/s.
  const auto theory = [](double t) { return 2 * M_PI * radius * 2. / 3 * length * std::sqrt(nu * length / (g * t)); };
  skinned.done =
      run_to_the_end(rod("skinned"), "skinned_rod", [&](const StepReport& r, const World& world, const Workspace&) {
        const double worst = skinned.error;
        skinned = held_on(world);
        const SkinnedReport& s = *r.liquid().skinned;
        skinned.error = std::max(worst, std::abs(s.error) / s.total);
        bulk = carried(world);
        if (r.time < left) return;
        curve.measured.emplace_back(r.time - start, 1e6 * skinned.side);
        curve.reference.emplace_back(r.time - start, 1e6 * theory(r.time - start));
      });
  const bool also =
      run_to_the_end(rod("cutcell"), "skinned_rod",
                     [&](const StepReport&, const World& world, const Workspace&) { plain = carried(world); });
  if (!skinned.done || !also) skinned.side = NAN;
  const double all = skinned.side + skinned.below + skinned.top + skinned.pendant + skinned.tets + bulk;
  Outcome outcome;
  const double expected = theory(end - start);
  outcome.results = {
      within("film on the side, 2 s after the rod left the water", 1e6 * skinned.side, 1e6 * expected,
             0.1 * 1e6 * expected, "mL", "Jeffreys30: ⅔ A √(νL/gt), t since the side began to leave"),
      reported("the same over a side that leaves at once", skinned.side / theory(2), "", "33 mL, Jeffreys30"),
      reported("film below its end", 1e6 * skinned.below, "mL", "at most hold, 1 mm of it: 31 mL"),
      reported("film on its top", 1e6 * skinned.top, "mL", "it was never in the water"),
      reported("hanging below its end", 1e6 * skinned.pendant, "mL", "less than a drop on every 24 mm square"),
      reported("in the shell's tets", 1e6 * skinned.tets, "mL", ""),
      reported("cutcell: liquid near the rod and above the pool", 1e6 * plain, "mL", "as particles"),
      at_least("all on the rod", 1e6 * all, 3 * 1e6 * plain, "mL", "three times what cutcell carries"),
      at_most("error of all liquid", skinned.error, 1e-12, "", "volume is passed on, never made")};
  outcome.curves = {curve};
  return outcome;
}

}  // namespace coracle::validation
