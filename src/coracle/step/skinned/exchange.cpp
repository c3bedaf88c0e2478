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

Vec3 centroid_of(const SkinNow& skin, std::size_t tri) {
  const Vec3i& t = skin.motion.tris[tri];
  return (skin.motion.x[t[0]] + skin.motion.x[t[1]] + skin.motion.x[t[2]]) / 3;
}

constexpr int nowhere = -1, unsure = -2;  // instead of a tet

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

// The tet that holds a place within reach, if liquid there with the velocity v moves towards the skin.
int tet_on_the_way(const Reach& reach, const SkinNow& skin, const Vec3& x, const Vec3& v) {
  const ClosestPoint near = reach.solid.tree.closest(x, reach.distance);
  if (near.tri < 0) return nowhere;
  const Surface& surface = reach.around.surfaces[skin.surface];
  const Vec3 w = v - surface.at(surface.v, near.tri, near.bary);
  if (w.dot(near.normal) >= 0) return nowhere;
  const TetFinder::Place place = skin.finder.walk(x, skin.tet_of[near.tri]);
  if (place.tet >= 0) return place.tet;
  return place.last < 0 && near.distance > skin.shell.thickness ? nowhere : unsure;
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
  if (std::find(work.into.begin(), work.into.end(), unsure) == work.into.end()) return;
  skin.finder.fit();
  const auto search = [&](std::size_t k) {
    if (work.into[k] == unsure) work.into[k] = skin.finder.search(x[work.near[k]]);
  };
  for_each_index(work.near.size(), search, 64);
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

// The cells that hold the places, and one more on each side.
Grid cells_around(const Grid& grid, const std::vector<Vec3>& x) {
  Vec3i lo = grid.n, hi = Vec3i::Zero();
  for (const Vec3& at : x) lo = lo.cwiseMin(grid.cell_of(at)), hi = hi.cwiseMax(grid.cell_of(at));
  lo = (lo.array() - 1).max(0), hi = (hi.array() + 1).min(grid.n.array() - 1);
  return {grid.origin + grid.dx * lo.cast<double>(), grid.dx, Vec3i(hi - lo).array() + 1};
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
    return centroid_of(skin, t) + 0.05 * around.grid.dx * skin.frame.normal[t];
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

double entrained_thickness(const FilmLaw& law, double speed, double gravity) {
  if (!(speed > 0) || !(gravity > 0)) return 0;
  const double capillary = law.density * law.viscosity * speed / law.tension;
  return std::min(0.944 * std::pow(capillary, 1.0 / 6), 1.0) * std::sqrt(law.viscosity * speed / gravity);
}

void entrain(const Surroundings& around, const SkinNow& skin, const FilmLaw& law, const Vec3& gravity, double given,
             std::vector<std::uint8_t>& submerged, Film& film, Particles& bulk, ExchangeWork& work) {
  const double clear = clear_of_bulk * around.grid.dx, g = gravity.norm();
  const Vec3 up = g > 0 ? Vec3(-gravity / g) : Vec3::UnitY();
  // The places just outside the skin, where the bulk's surface is known.
  const auto place = [&](std::size_t t) -> Vec3 { return centroid_of(skin, t) + clear * skin.frame.normal[t]; };
  work.set.set_where(submerged.size(), [&](std::size_t t) {
    const double above = around.above(place(t));
    const bool leaves = submerged[t] && above > 0;
    if (above > 0) submerged[t] = 0;
    if (above < -clear) submerged[t] = 1;
    return leaves;
  });
  if (work.set.empty() || bulk.size() == 0) return;
  std::vector<int> leaving;
  work.set.sweep([&](std::size_t t) { leaving.push_back(int(t)); });

  // Triangles in the order of cells, so that those that share a particle are neighbours; the particles around them too.
  std::vector<Vec3> x;
  x.reserve(leaving.size());
  for (const int t : leaving) x.push_back(place(t));
  const Grid grid = cells_around(around.grid, x);
  const CellOrder order = order_by_cell(grid, x);
  const Vec3 lo = grid.origin, hi = grid.upper();
  work.set.set_where(bulk.size(), [&](std::size_t p) {
    return (bulk.x[p].array() >= lo.array()).all() && (bulk.x[p].array() < hi.array()).all();
  });
  work.near.clear(), work.x.clear();
  work.set.sweep([&](std::size_t p) { work.near.push_back(std::uint32_t(p)), work.x.push_back(bulk.x[p]); });
  const CellOrder particles = order_by_cell(grid, work.x);
  std::vector<std::uint8_t> gone(work.near.size(), 0);
  const auto nearest = [&](const Vec3& at) {  // of work.near
    int found = -1;
    double best = std::pow(1.5 * grid.dx, 2);
    visit_rows(grid, particles.start, at, [&](std::uint32_t first, std::uint32_t end) {
      for (std::uint32_t k = first; k < end; ++k) {
        const std::uint32_t i = particles.order[k];
        const double square = (work.x[i] - at).squaredNorm();
        if (!gone[i] && square < best) best = square, found = int(i);
      }
    });
    return found;
  };
  // Triangles wait until they lack half a particle, then share it as they lack. What is too much or too little of it is
  // carried on to the next ones.
  std::vector<std::pair<int, double>> waiting;  // and what each lacks, m³
  double lack = 0, owed = 0;                    // m³: of those who wait; of all so far, less what was given
  for (const std::uint32_t k : order.order) {
    const int t = leaving[k];
    const double thickness = given >= 0 ? given : entrained_thickness(law, skin.frame.v[t].dot(up), g);
    const double amount = lacking(skin.frame, t, thickness, film);
    if (amount == 0) continue;
    waiting.emplace_back(t, amount), lack += amount, owed += amount;
    bool served = false;
    while (owed >= 0.5 * around.particle_volume) {
      served = true;
      const int found = nearest(place(t));
      if (found < 0) {  // there is no liquid to take along
        owed = 0;
        break;
      }
      gone[found] = 1, owed -= around.particle_volume;
      const Vec3 v = bulk.v[work.near[found]].cast<double>();
      double rest = around.particle_volume;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        const bool last = i + 1 == waiting.size();
        const double part = last ? rest : std::min(rest, around.particle_volume * (waiting[i].second / lack));
        settle(skin.frame, waiting[i].first, {.volume = part, .v = v}, film);
        rest -= part;
      }
    }
    if (served) waiting.clear(), lack = 0;
  }
  work.gone.clear();
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (gone[i]) work.gone.push_back(work.near[i]);
  remove_particles(bulk, work.gone);
}

}  // namespace coracle
