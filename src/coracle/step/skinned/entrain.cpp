#include "coracle/step/skinned/entrain.h"

#include "coracle/step/particles/cells.h"
#include "coracle/step/particles/push_out.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// Something that leaves the bulk.
struct Leaver {
  int index;    // of the triangle or tet
  Vec3 x;       // m
  double lack;  // m³ that it takes along
};

// Lists what was in the bulk and is no longer, and brings that up to date. Between half a cell inside and the surface
// nothing changes.
template <class Place>
std::vector<int> leaving(const Surroundings& around, Place&& place, std::vector<std::uint8_t>& inside,
                         ExchangeWork& work) {
  work.set.set_where(inside.size(), [&](std::size_t i) {
    const double above = around.above(place(i));
    const bool leaves = inside[i] && above > 0;
    if (above > 0) inside[i] = 0;
    if (above < -clear_of_bulk * around.grid.dx) inside[i] = 1;
    return leaves;
  });
  std::vector<int> found;
  work.set.sweep([&](std::size_t i) { found.push_back(int(i)); });
  return found;
}

// The cells that hold the places, and one more on each side.
Grid cells_around(const Grid& grid, const std::vector<Vec3>& x) {
  Vec3i lo = grid.n, hi = Vec3i::Zero();
  for (const Vec3& at : x) lo = lo.cwiseMin(grid.cell_of(at)), hi = hi.cwiseMax(grid.cell_of(at));
  lo = (lo.array() - 1).max(0), hi = (hi.array() + 1).min(grid.n.array() - 1);
  return {grid.origin + grid.dx * lo.cast<double>(), grid.dx, Vec3i(hi - lo).array() + 1};
}

// Gives liquid of the bulk to those that lack it: give(index, portion). They wait until they lack a particle, then
// share it as they lack. What is left of that is carried on to the next ones. Those who still wait at the end go on
// waiting in the next step, `inside`, as long as they are near the bulk: otherwise what leaves slowly, by less than a
// particle's worth a step, would take nothing along.
template <class Give>
void take_along(const Surroundings& around, const std::vector<Leaver>& leavers, std::vector<std::uint8_t>& inside,
                Particles& bulk, ExchangeWork& work, Give&& give) {
  if (leavers.empty() || bulk.size() == 0) return;
  const double reach = 1.5 * around.grid.dx;
  // In the order of cells, so that those that share a particle are neighbours; the particles around them too.
  std::vector<Vec3> x;
  x.reserve(leavers.size());
  for (const Leaver& l : leavers) x.push_back(l.x);
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
    double best = reach * reach;
    visit_rows(grid, particles.start, at, [&](std::uint32_t first, std::uint32_t end) {
      for (std::uint32_t k = first; k < end; ++k) {
        const std::uint32_t i = particles.order[k];
        const double square = (work.x[i] - at).squaredNorm();
        if (!gone[i] && square < best) best = square, found = int(i);
      }
    });
    return found;
  };
  std::vector<const Leaver*> waiting;
  double lack = 0, owed = 0;  // m³: of those who wait; of all so far, less what was given
  for (const std::uint32_t k : order.order) {
    waiting.push_back(&leavers[k]), lack += leavers[k].lack, owed += leavers[k].lack;
    bool served = false;
    while (owed >= around.particle_volume) {
      served = true;
      const int found = nearest(leavers[k].x);
      if (found < 0) {  // there is no liquid to take along
        owed = 0;
        break;
      }
      gone[found] = 1, owed -= around.particle_volume;
      const Vec3 v = bulk.v[work.near[found]].cast<double>();
      double rest = around.particle_volume;
      for (const Leaver* w : waiting) {
        const double part = w == waiting.back() ? rest : std::min(rest, around.particle_volume * (w->lack / lack));
        give(w->index, Portion{.volume = part, .v = v});
        rest -= part;
      }
    }
    if (served) waiting.clear(), lack = 0;
  }
  for (const Leaver* w : waiting)
    if (around.above(w->x) < reach) inside[w->index] = 1;
  work.gone.clear();
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (gone[i]) work.gone.push_back(work.near[i]);
  remove_particles(bulk, work.gone);
}

}  // namespace

double entrained_thickness(const FilmLaw& law, double speed, double gravity) {
  if (!(speed > 0) || !(gravity > 0)) return 0;
  const double capillary = law.density * law.viscosity * speed / law.tension;
  return std::min(0.944 * std::pow(capillary, 1.0 / 6), 1.0) * std::sqrt(law.viscosity * speed / gravity);
}

void entrain(const Surroundings& around, const SkinNow& skin, const FilmLaw& law, const Vec3& gravity, double given,
             std::vector<std::uint8_t>& submerged, Film& film, Particles& bulk, ExchangeWork& work) {
  const double g = gravity.norm();
  const Vec3 up = g > 0 ? Vec3(-gravity / g) : Vec3::UnitY();
  // The places just outside the skin, where the bulk's surface is known.
  const auto place = [&](std::size_t t) -> Vec3 {
    return centroid_of(skin.motion, t) + clear_of_bulk * around.grid.dx * skin.frame.normal[t];
  };
  std::vector<Leaver> leavers;
  for (const int t : leaving(around, place, submerged, work)) {
    const double thickness = given >= 0 ? given : entrained_thickness(law, skin.frame.v[t].dot(up), g);
    if (const double lack = lacking(skin.frame, t, thickness, film); lack > 0) leavers.push_back({t, place(t), lack});
  }
  take_along(around, leavers, submerged, bulk, work, [&](int t, const Portion& p) { settle(skin.frame, t, p, film); });
}

void soak(const Surroundings& around, const SkinNow& skin, std::vector<std::uint8_t>& soaked, TetLiquid& tets,
          Drops& drops, Particles& bulk, ExchangeWork& work) {
  const auto place = [&](std::size_t t) { return centroid(skin.shell, skin.moving.x, int(t)); };
  std::vector<Leaver> leavers;
  for (const int t : leaving(around, place, soaked, work))
    if (const double lack = skin.moving.capacity[t] - tets.volume[t]; lack > 0) leavers.push_back({t, place(t), lack});
  take_along(around, leavers, soaked, bulk, work, [&](int t, const Portion& p) {
    const double part = std::min(p.volume, std::max(skin.moving.capacity[t] - tets.volume[t], 0.0));
    take_up(tets, t, part, p.v);
    if (p.volume > part) drops.add(place(t), p.v, p.volume - part);
  });
}

}  // namespace coracle
