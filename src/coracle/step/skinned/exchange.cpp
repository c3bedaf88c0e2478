#include "coracle/step/skinned/exchange.h"

#include "coracle/base/parallel.h"
#include "coracle/step/particles/cells.h"
#include "coracle/step/particles/push_out.h"
#include "coracle/step/skinned/drops.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int most_tets = 32;  // that one particle or drop may fill

// What may be within reach of a skin, by boxes and by the field on the grid, which errs by less than a cell.
struct Reach {
  const Surroundings& around;
  const SolidGeometry& solid;
  double distance;
  Vec3 lo = solid.tree.lower().array() - distance, hi = solid.tree.upper().array() + distance;

  Reach(const Surroundings& among, const SkinNow& skin)
      : around(among), solid(among.solids.each[skin.surface]), distance(skin.shell.thickness + among.grid.dx) {}
  // And is clear of the bulk.
  bool has(const Vec3& x) const {
    if ((x.array() < lo.array()).any() || (x.array() > hi.array()).any()) return false;
    if (!(around.above(x) > clear_of_bulk * around.grid.dx)) return false;
    return sample_cells(solid.phi, around.grid.to_cells(x)) <= distance;
  }
};

// The tet that holds a place within reach, if liquid there with the velocity v moves towards the skin; −1: none, or the
// walk from the closest part of the skin does not find it, as happens to one in a thousand where the skin is hollow.
// That one flies on for a step: a tree of all tets to find it would cost more than the rest.
int tet_on_the_way(const Reach& reach, const SkinNow& skin, const Vec3& x, const Vec3& v) {
  const ClosestPoint near = reach.solid.tree.closest(x, reach.distance);
  if (near.tri < 0) return -1;
  const Surface& surface = reach.around.surfaces[skin.surface];
  const Vec3 w = v - surface.at(surface.v, near.tri, near.bary);
  if (w.dot(near.normal) >= 0) return -1;
  return skin.finder.walk(x, skin.tet_of[near.tri]).tet;
}

// Of the places x that are near, work.into becomes the tet that takes liquid in there; < 0: none.
template <class Velocity>
void find_tets(const Reach& reach, const SkinNow& skin, const std::vector<Vec3>& x, Velocity&& v, ExchangeWork& work) {
  work.set.set_where(x.size(), [&](std::size_t i) { return reach.has(x[i]); });
  work.near.clear();
  work.set.sweep([&](std::size_t i) { work.near.push_back(std::uint32_t(i)); });
  work.into.resize(work.near.size());
  const auto find = [&](std::size_t k) {
    const std::uint32_t i = work.near[k];
    work.into[k] = tet_on_the_way(reach, skin, x[i], v(i));
  };
  for_each_index(work.near.size(), find, 64);
}

// Fills tets from the first one on, neighbour after neighbour; returns what finds no room, m³.
double fill(const SkinNow& skin, int first, double volume, const Vec3& v, TetLiquid& tets) {
  std::array<int, most_tets> queue{first};
  int count = 1;
  for (int k = 0; k < count && volume > 0; ++k) {
    const int t = queue[k];
    const double room = std::min(volume, std::max(skin.moving.capacity[t] - tets.volume[t], 0.0));
    if (room > 0) take_up(tets, t, room, v);
    volume -= room;
    for (const int n : skin.shell.neighbours[t])
      if (n >= 0 && count < most_tets && std::find(queue.begin(), queue.begin() + count, n) == queue.begin() + count)
        queue[count++] = n;
  }
  return volume;
}

}  // namespace

void take_in_particles(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops, Particles& bulk,
                       ExchangeWork& work) {
  const auto velocity = [&](std::size_t p) -> Vec3 { return bulk.v[p].cast<double>(); };
  find_tets(Reach(around, skin), skin, bulk.x, velocity, work);
  work.gone.clear();
  for (std::size_t k = 0; k < work.near.size(); ++k) {
    if (work.into[k] < 0) continue;
    const std::uint32_t p = work.near[k];
    const double rest = fill(skin, work.into[k], around.particle_volume, velocity(p), tets);
    if (rest == around.particle_volume) continue;  // there is no room at all
    work.gone.push_back(p);
    if (rest > 0) drops.add(bulk.x[p], velocity(p), rest);
  }
  remove_particles(bulk, work.gone);
}

void take_in_drops(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops, ExchangeWork& work) {
  find_tets(
      Reach(around, skin), skin, drops.x, [&](std::size_t i) -> const Vec3& { return drops.v[i]; }, work);
  for (std::size_t k = 0; k < work.near.size(); ++k)
    if (const std::uint32_t i = work.near[k]; work.into[k] >= 0)
      drops.volume[i] = fill(skin, work.into[k], drops.volume[i], drops.v[i], tets);
  remove_empty(drops);
}

void release_submerged(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Film& film, Drops& drops,
                       ExchangeWork& work) {
  const double clear = -clear_of_bulk * around.grid.dx;
  const auto in_tet = [&](std::size_t t) { return centroid(skin.shell, skin.moving.x, int(t)); };
  work.set.set_where(tets.volume.size(),
                     [&](std::size_t t) { return tets.volume[t] > 0 && around.above(in_tet(t)) < clear; });
  work.set.sweep([&](std::size_t t) {
    drops.add(in_tet(t), tets.v[t], tets.volume[t]);
    tets.volume[t] = 0, tets.v[t] = Vec3::Zero();
  });
  const auto on_skin = [&](std::size_t t) -> Vec3 {
    return centroid_of(skin.motion, t) + 0.05 * around.grid.dx * skin.frame.normal[t];
  };
  work.set.set_where(film.volume.size(), [&](std::size_t t) {
    return film.volume[t] + film.pendant[t] > 0 && around.above(on_skin(t)) < clear;
  });
  work.set.sweep([&](std::size_t t) {
    drops.add(on_skin(t), film.v[t], film.volume[t]);
    if (film.pendant[t] > 0) drops.add(on_skin(t), film.v[t], film.pendant[t]);
    film.volume[t] = film.pendant[t] = 0;
  });
}

}  // namespace coracle
