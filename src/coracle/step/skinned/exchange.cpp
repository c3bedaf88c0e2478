#include "coracle/step/skinned/exchange.h"

#include "coracle/base/parallel.h"
#include "coracle/step/particles/cells.h"
#include "coracle/step/particles/push_out.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int most_tets = 32;  // that one particle or drop may fill

Vec3 centroid_of(const SkinNow& skin, std::size_t tri) {
  const Vec3i& t = skin.motion.tris[tri];
  return (skin.motion.x[t[0]] + skin.motion.x[t[1]] + skin.motion.x[t[2]]) / 3;
}

// The tet that holds a place, if liquid there with the velocity v moves towards the skin; −1: none.
int tet_on_the_way(const Surroundings& around, const SkinNow& skin, const Vec3& x, const Vec3& v) {
  const SolidGeometry& solid = around.solids.each[skin.surface];
  const double reach = skin.shell.thickness + around.grid.dx;  // the field on the grid errs by less than a cell
  if (sample_cells(solid.phi, around.grid.to_cells(x)) > reach) return -1;
  const ClosestPoint near = solid.tree.closest(x, reach);
  if (near.tri < 0) return -1;
  const Surface& surface = around.surfaces[skin.surface];
  const Vec3 w = v - surface.at(surface.v, near.tri, near.bary);
  if (w.dot(near.normal) >= 0) return -1;
  return skin.finder.find(x, skin.tet_of[near.tri]).tet;
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

void take_in_particles(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops,
                       Particles& bulk) {
  const double clear = clear_of_bulk * around.grid.dx;
  std::vector<int> into(bulk.size(), -1);
  for_each_index(bulk.size(), [&](std::size_t p) {
    if (around.above(bulk.x[p]) > clear) into[p] = tet_on_the_way(around, skin, bulk.x[p], bulk.v[p].cast<double>());
  });
  std::vector<std::uint8_t> gone(bulk.size(), 0);
  for (std::size_t p = 0; p < bulk.size(); ++p) {
    if (into[p] < 0) continue;
    const Vec3 v = bulk.v[p].cast<double>();
    const double rest = fill(skin, into[p], around.particle_volume, v, tets);
    if (rest == around.particle_volume) continue;  // there is no room at all
    gone[p] = 1;
    if (rest > 0) drops.add(bulk.x[p], v, rest);
  }
  if (std::find(gone.begin(), gone.end(), 1) != gone.end()) remove_particles(bulk, gone);
}

void take_in_drops(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops) {
  const double clear = clear_of_bulk * around.grid.dx;
  Drops kept;
  for (std::size_t i = 0; i < drops.size(); ++i) {
    double rest = drops.volume[i];
    if (around.above(drops.x[i]) > clear)
      if (const int tet = tet_on_the_way(around, skin, drops.x[i], drops.v[i]); tet >= 0)
        rest = fill(skin, tet, rest, drops.v[i], tets);
    if (rest > 0) kept.add(drops.x[i], drops.v[i], rest);
  }
  drops = std::move(kept);
}

void release_submerged(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Film& film, Drops& drops) {
  const double clear = -clear_of_bulk * around.grid.dx;
  for (std::size_t t = 0; t < tets.volume.size(); ++t) {
    if (tets.volume[t] == 0) continue;
    const Vec3 x = centroid(skin.shell, skin.moving.x, int(t));
    if (around.above(x) >= clear) continue;
    drops.add(x, tets.v[t], tets.volume[t]);
    tets.volume[t] = 0, tets.v[t] = Vec3::Zero();
  }
  for (std::size_t t = 0; t < film.volume.size(); ++t) {
    const double volume = film.volume[t] + film.pendant[t];
    if (volume == 0) continue;
    const Vec3 x = centroid_of(skin, t) + 0.05 * around.grid.dx * skin.frame.normal[t];
    if (around.above(x) >= clear) continue;
    drops.add(x, film.v[t], film.volume[t]);
    if (film.pendant[t] > 0) drops.add(x, film.v[t], film.pendant[t]);
    film.volume[t] = film.pendant[t] = 0;
  }
}

double entrained_thickness(const FilmLaw& law, double speed, double gravity) {
  if (!(speed > 0) || !(gravity > 0)) return 0;
  const double capillary = law.density * law.viscosity * speed / law.tension;
  return std::min(0.944 * std::pow(capillary, 1.0 / 6), 1.0) * std::sqrt(law.viscosity * speed / gravity);
}

void entrain(const Surroundings& around, const SkinNow& skin, const FilmLaw& law, const Vec3& gravity, double given,
             std::vector<std::uint8_t>& submerged, Film& film, Particles& bulk) {
  const double clear = clear_of_bulk * around.grid.dx, g = gravity.norm();
  const Vec3 up = g > 0 ? Vec3(-gravity / g) : Vec3::UnitY();
  // The places just outside the skin, where the bulk's surface is known.
  const auto place = [&](std::size_t t) -> Vec3 { return centroid_of(skin, t) + clear * skin.frame.normal[t]; };
  std::vector<int> leaving;
  for (std::size_t t = 0; t < submerged.size(); ++t) {
    const double above = around.above(place(t));
    if (submerged[t] && above > 0) leaving.push_back(int(t));
    if (above > 0) submerged[t] = 0;
    if (above < -clear) submerged[t] = 1;
  }
  if (leaving.empty() || bulk.size() == 0) return;

  // Triangles in the order of cells, so that those that share a particle are neighbours.
  std::vector<Vec3> x;
  x.reserve(leaving.size());
  for (const int t : leaving) x.push_back(place(t));
  const CellOrder order = order_by_cell(around.grid, x), particles = order_by_cell(around.grid, bulk.x);
  std::vector<std::uint8_t> gone(bulk.size(), 0);
  const auto nearest = [&](const Vec3& at) {
    int found = -1;
    double best = std::pow(1.5 * around.grid.dx, 2);
    visit_rows(around.grid, particles.start, at, [&](std::uint32_t first, std::uint32_t end) {
      for (std::uint32_t k = first; k < end; ++k) {
        const std::uint32_t p = particles.order[k];
        const double square = (bulk.x[p] - at).squaredNorm();
        if (!gone[p] && square < best) best = square, found = int(p);
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
      const int p = nearest(place(t));
      if (p < 0) {  // there is no liquid to take along
        owed = 0;
        break;
      }
      gone[p] = 1, owed -= around.particle_volume;
      double rest = around.particle_volume;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        const bool last = i + 1 == waiting.size();
        const double part = last ? rest : std::min(rest, around.particle_volume * (waiting[i].second / lack));
        settle(skin.frame, waiting[i].first, {.volume = part, .v = bulk.v[p].cast<double>()}, film);
        rest -= part;
      }
    }
    if (served) waiting.clear(), lack = 0;
  }
  remove_particles(bulk, gone);
}

}  // namespace coracle
