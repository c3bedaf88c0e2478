#include "coracle/step/cutcell/solid_geometry.h"

#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/step/cutcell/slivers.h"

#include <algorithm>

namespace coracle {
namespace {

std::vector<int> band_cells(const Grid& grid, const SolidCut& cut) {
  std::vector<std::uint8_t> marked(cut.volume.size(), 0);
  int last = -1;
  for (const Patch& p : cut.patches) {
    if (p.cell == last) continue;
    last = p.cell;
    const Vec3i c = cut.volume.cell(p.cell);
    const Vec3i lo = (c.array() - distance_band).max(0), hi = (c.array() + distance_band).min(grid.n.array() - 1);
    for (int k = lo.z(); k <= hi.z(); ++k)
      for (int j = lo.y(); j <= hi.y(); ++j) {
        const std::size_t row = cut.volume.index(0, j, k);
        std::fill(marked.begin() + row + lo.x(), marked.begin() + row + hi.x() + 1, 1);
      }
  }
  std::vector<int> cells;
  for (std::size_t i = 0; i < marked.size(); ++i)
    if (marked[i]) cells.push_back(int(i));
  return cells;
}

void update_one(const Grid& grid, const Solid& solid, int id, bool velocities, SolidGeometry& g) {
  g.tree = TriTree(solid.x, solid.rest->tris);
  g.cut = cut_solid(grid, solid, id);
  g.band = band_cells(grid, g.cut);
  g.band_velocity.assign(velocities ? g.band.size() : 0, Vec3f::Zero());
  const double far = distance_band * grid.dx;
  g.phi.assign(grid.n);
  for_each_index(g.phi.size(), [&](std::size_t i) { g.phi.data[i] = g.cut.volume.data[i] > 0.5 ? -far : far; });
  const double sign = solid.container ? -1 : 1;
  for_each_index(
      g.band.size(),
      [&](std::size_t b) {
        const ClosestPoint near = g.tree.closest(grid.center(g.phi.cell(g.band[b])));
        g.phi.data[g.band[b]] = sign * near.distance;
        if (!velocities) return;
        const Vec3i& t = solid.rest->tris[near.tri];
        g.band_velocity[b] =
            (near.bary[0] * solid.v[t[0]] + near.bary[1] * solid.v[t[1]] + near.bary[2] * solid.v[t[2]]).cast<float>();
      },
      256);
}

// Whether x lies inside solid s.
bool inside(const Grid& grid, const Solid& solid, const SolidGeometry& g, const Vec3& x) {
  if (!solid.present || sample_cells(g.phi, grid.to_cells(x)) > grid.dx) return false;
  const double distance = g.tree.closest(x).distance;
  return (solid.container ? -distance : distance) < 0;
}

// Where solids overlap: leave out the patches of one that lie inside another, they are no surface of the liquid, and
// close the cells again. What closes a cell moves with the nearest solid, one that stands still if there is one.
void settle_overlaps(const Grid& grid, const std::vector<Solid>& solids, SolidField& field) {
  std::vector<Patch>& patches = field.cut.patches;
  std::vector<std::uint8_t> hidden(patches.size(), 0);
  for_each_index(
      patches.size(),
      [&](std::size_t i) {
        const Vec3 at = patch_center(patches[i], solids);
        for (std::size_t s = 0; s < solids.size(); ++s)
          if (int(s) != patches[i].solid && inside(grid, solids[s], field.each[s], at)) hidden[i] = 1;
      },
      256);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < patches.size(); ++i)
    if (!hidden[i]) patches[kept++] = patches[i];
  patches.resize(kept);

  constexpr double closed = 1e-13;  // face areas
  const std::vector<Vec3> defect = closure_defect(field.cut);
  for (std::size_t i = 0; i < defect.size(); ++i) {
    if (defect[i].cwiseAbs().maxCoeff() < closed) continue;
    const Vec3 center = grid.center(field.cut.volume.cell(i));
    int nearest = -1;
    for (std::size_t s = 0; s < solids.size(); ++s) {
      if (!solids[s].present || field.each[s].phi.data[i] > 2 * grid.dx) continue;
      const auto rank = [&](int o) { return std::pair(solids[o].moving, field.each[o].phi.data[i]); };
      if (nearest < 0 || rank(int(s)) < rank(nearest)) nearest = int(s);
    }
    if (nearest < 0) continue;  // nothing near: round-off
    const ClosestPoint near = field.each[nearest].tree.closest(center);
    patches.push_back({int(i), nearest, near.tri, -defect[i], near.bary});
  }
  std::stable_sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) { return a.cell < b.cell; });
}

}  // namespace

void update_solid_field(const Grid& grid, const std::vector<Solid>& solids, SolidField& field) {
  const bool first = field.phi.size() == 0;
  const bool moving = std::any_of(solids.begin(), solids.end(), [](const Solid& s) { return s.moving; });
  std::vector<bool> present(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) present[s] = solids[s].present;
  if (!first && !moving && present == field.present) return;
  field.present = present;
  ++field.updates;
  field.each.resize(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s)
    if (first || solids[s].moving) update_one(grid, solids[s], int(s), moving, field.each[s]);

  std::vector<const SolidCut*> cuts;
  field.phi.assign(grid.n, distance_band * grid.dx);
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (!present[s]) continue;
    const SolidGeometry& g = field.each[s];
    cuts.push_back(&g.cut);
    for_each_index(field.phi.size(),
                   [&](std::size_t i) { field.phi.data[i] = std::min(field.phi.data[i], g.phi.data[i]); });
  }
  field.cut = combine(grid, cuts);
  if (cuts.size() > 1) settle_overlaps(grid, solids, field);
  remove_slivers(grid, solids, field.cut);

  if (!moving) return;
  field.velocity.assign(grid.n, Vec3f::Zero());
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const SolidGeometry& g = field.each[s];
    for (std::size_t b = 0; b < g.band.size() && present[s]; ++b)
      if (g.phi.data[g.band[b]] == field.phi.data[g.band[b]]) field.velocity.data[g.band[b]] = g.band_velocity[b];
  }
}

}  // namespace coracle
