#include "coracle/world/empty_regions.h"

#include "coracle/shape/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <variant>

namespace coracle {
namespace {

std::span<const Vec3> particles_of(const Fluid& fluid) {
  return std::visit(
      [](const auto& f) -> std::span<const Vec3> {
        if constexpr (requires { f.particles.x; })
          return f.particles.x;
        else if constexpr (requires { f.x; })
          return f.x;
        else
          return {};
      },
      fluid);
}

}  // namespace

std::vector<std::string> empty_regions(const Scene& scene, const World& world) {
  std::vector<std::string> warnings;
  const std::span<const Vec3> particles = particles_of(world.fluid);
  for (std::size_t r = 0; r < scene.liquid.regions.size(); ++r) {
    const Region region(scene.liquid.regions[r].shape);
    if (std::any_of(particles.begin(), particles.end(), [&](const Vec3& x) { return region.contains(x); })) continue;
    warnings.push_back(
        fmt::format("liquid.region {} holds no liquid: it is smaller than a particle, or solids fill it; raise "
                    "domain.resolution, or change the region",
                    r));
  }
  return warnings;
}

}  // namespace coracle
