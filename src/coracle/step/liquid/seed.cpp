#include "coracle/step/liquid/seed.h"

#include "coracle/base/parallel.h"
#include "coracle/base/random.h"
#include "coracle/shape/region.h"
#include "coracle/world/surface.h"

#include <algorithm>

namespace coracle {

Particles seed_particles(const Scene& scene, const World& world, const Grid& grid) {
  std::vector<Region> regions;
  for (const RegionOptions& r : scene.liquid.regions) regions.emplace_back(r.shape);
  const Surfaces surfaces(world);
  std::vector<TriTree> trees;
  for (const Surface& s : surfaces) trees.emplace_back(s.x, s.tris);
  const auto in_solid = [&](const Vec3& x) {
    for (std::size_t s = 0; s < trees.size(); ++s) {
      const Surface& solid = surfaces[s];
      const bool in_box =
          (x.array() >= trees[s].lower().array()).all() && (x.array() <= trees[s].upper().array()).all();
      if (solid.inflow || (!in_box && !solid.container)) continue;
      if ((in_box && trees[s].closest(x).distance < 0) != solid.container) return true;
    }
    return false;
  };

  Particles all;
  std::vector<Particles> layers(grid.n.z());
  for_blocks(layers.size(), 1, [&](std::size_t layer, std::size_t) {
    Particles& out = layers[layer];
    for (int j = 0; j < grid.n.y(); ++j)
      for (int i = 0; i < grid.n.x(); ++i)
        for (int octant = 0; octant < 8; ++octant) {
          const std::uint64_t key = ((std::uint64_t(layer) * grid.n.y() + j) * grid.n.x() + i) * 8 + octant;
          Vec3 q(i, j, double(layer));
          for (int a = 0; a < 3; ++a)
            q[a] += 0.5 * ((octant >> a & 1) + uniform(std::uint64_t(scene.liquid.seed), 3 * key + a));
          const Vec3 x = grid.origin + grid.dx * q;
          const auto owner =
              std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.contains(x); });
          if (owner == regions.end() || in_solid(x)) continue;
          out.x.push_back(x);
          out.v.push_back(scene.liquid.regions[owner - regions.begin()].velocity.cast<float>());
        }
  });
  for (const Particles& layer : layers) {
    all.x.insert(all.x.end(), layer.x.begin(), layer.x.end());
    all.v.insert(all.v.end(), layer.v.begin(), layer.v.end());
  }
  if (scene.liquid.advection == Advection::apic) all.c.assign(all.size(), Mat3f::Zero());
  return all;
}

}  // namespace coracle
