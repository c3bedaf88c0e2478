#include "coracle/scene/liquid_kinds.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double most_moved = 0.4;  // D
constexpr double most_passed = 6;   // D, by sound
constexpr double longest = 5e-3;    // s

}  // namespace

std::vector<LiquidKindOptions> liquid_kinds(const Scene& scene) {
  const LiquidOptions& own = scene.liquid;
  std::vector<LiquidKindOptions> kinds = {{.place = own.place,
                                           .name = "",
                                           .density = own.density,
                                           .viscosity = own.viscosity,
                                           .stiffness = scene.proxy.stiffness,
                                           .color = {}}};
  for (const LiquidKindOptions& kind : own.kinds) {
    kinds.push_back(kind);
    if (kind.stiffness == 0) kinds.back().stiffness = scene.proxy.stiffness;
  }
  return kinds;
}

std::uint8_t kind_number(const Scene& scene, const std::string& name) {
  if (name.empty()) return 0;
  const std::vector<LiquidKindOptions>& kinds = scene.liquid.kinds;
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const LiquidKindOptions& kind) { return kind.name == name; });
  return found == kinds.end() ? 0 : std::uint8_t(1 + (found - kinds.begin()));
}

double fastest_sound(const Scene& scene) {
  double sound = 0;
  for (const LiquidKindOptions& kind : liquid_kinds(scene))
    sound = std::max(sound, std::sqrt(kind.stiffness / kind.density));
  return sound;
}

double longest_sph_step(const Scene& scene, const Grid& grid, double speed) {
  const double spacing = particle_spacing(grid);
  double dt = std::min({scene.time.max_dt, longest, most_passed * spacing / fastest_sound(scene)});
  if (speed > 0) dt = std::min({dt, most_moved * spacing / speed, scene.time.cfl * grid.dx / speed});
  return dt;
}

}  // namespace coracle
