#include "coracle/step/skinned/skin_amounts.h"

#include "coracle/base/parallel.h"

#include <numeric>

namespace coracle {
namespace {

Vec3 centroid_of(const Solid& solid, std::size_t tri) {
  const Vec3i& t = solid.rest->tris[tri];
  return mean_of(solid.x, t);
}

}  // namespace

void wet_skins(const Scene& scene, const World& world, const Surroundings& around, std::vector<SkinWork>& work,
               Liquid& liquid) {
  const auto is_dry = [&](const Vec3& x) {
    return ((x - around.grid.origin).array() > 0).all() && ((around.grid.upper() - x).array() > 0).all() &&
           around.above(x) > clear_of_bulk * around.grid.dx;
  };
  for (std::size_t k = 0; k < work.size(); ++k) {
    WetSkin& skin = liquid.skins[k];
    const Solid& solid = world.solids[skin.solid];
    const SkinOptions& o = scene.solids[skin.solid].skin;
    SkinWork& w = work[k];
    const std::vector<Vec3> still(solid.x.size(), Vec3::Zero());
    const SkinMotion motion{.tris = solid.rest->tris, .x = solid.x, .v = solid.v, .a = still};
    update_skin_frame(w.edges, motion, w.frame);
    find_covered(around, std::size_t(skin.solid), motion, w.frame);
    for (std::size_t t = 0; o.film > 0 && t < skin.film.volume.size(); ++t) {
      if (w.frame.is_covered(t) || !is_dry(centroid_of(solid, t))) continue;
      skin.film.volume[t] = o.film * w.frame.area[t];
      skin.film.v[t] = w.frame.v[t];
    }
    if (o.fill == 0) continue;
    move_shell(
        *skin.shell, w.nodes, w.nodes, 1, 1 - o.fur.porosity, [&](const Vec3& x) { return around.in_solid(x); },
        w.moving);
    for (std::size_t t = 0; t < skin.tets.volume.size(); ++t) {
      if (w.moving.shut(int(t)) || !is_dry(centroid(*skin.shell, w.nodes, int(t)))) continue;
      skin.tets.volume[t] = o.fill * w.moving.capacity[t];
      skin.tets.v[t] = w.frame.v[skin.shell->tri[t]];
    }
  }
}

double skinned_volume_in(const PosedBox& box, const World& world, const Liquid& liquid,
                         const std::vector<SkinWork>& work) {
  double volume = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    const WetSkin& skin = liquid.skins[k];
    for (std::size_t t = 0; t < skin.tets.volume.size(); ++t)
      if (skin.tets.volume[t] > 0 && box.contains(centroid(*skin.shell, work[k].nodes, int(t))))
        volume += skin.tets.volume[t];
    for (std::size_t t = 0; t < skin.film.volume.size(); ++t)
      if (const double here = skin.film.volume[t] + skin.film.pendant[t];
          here > 0 && box.contains(centroid_of(world.solids[skin.solid], t)))
        volume += here;
  }
  for (std::size_t i = 0; i < liquid.drops.size(); ++i)
    if (box.contains(liquid.drops.x[i])) volume += liquid.drops.volume[i];
  return volume;
}

SkinnedReport measure_skins(const Liquid& liquid, double particle_volume, std::size_t particles) {
  SkinnedReport r;
  // By blocks: a plain sum of a hundred thousand numbers would itself err by 1e-13.
  const auto add = [](const std::vector<double>& volumes, double& sum) {
    sum += sum_blocks(volumes.size(), [&](std::size_t begin, std::size_t end) {
      return std::accumulate(volumes.begin() + begin, volumes.begin() + end, 0.0);
    });
  };
  r.bulk = particle_volume * double(particles);
  for (const WetSkin& skin : liquid.skins) {
    add(skin.tets.volume, r.tets);
    add(skin.film.volume, r.film);
    add(skin.film.pendant, r.pendant);
  }
  add(liquid.drops.volume, r.drops);
  r.in = liquid.ledger.in, r.out = liquid.ledger.out;
  r.held = r.tets + r.film + r.pendant;
  r.total = r.bulk + r.held + r.drops;
  r.error = r.total - liquid.ledger.start - r.in + r.out;
  return r;
}

}  // namespace coracle
