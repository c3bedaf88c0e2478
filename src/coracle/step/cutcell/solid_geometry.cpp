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

void update_one(const Grid& grid, const Surface& surface, int id, SolidGeometry& g) {
  g.tree = TriTree(surface.x, surface.tris);
  g.cut = cut_solid(grid, surface, id);
  g.band = band_cells(grid, g.cut);
  g.nearest.resize(g.band.size());
  const double far = distance_band * grid.dx;
  g.phi.assign(grid.n);
  for_each_index(g.phi.size(), [&](std::size_t i) { g.phi.data[i] = g.cut.volume.data[i] > 0.5 ? -far : far; });
  const double sign = surface.container ? -1 : 1;
  for_each_index(
      g.band.size(),
      [&](std::size_t b) {
        const ClosestPoint near = g.tree.closest(grid.center(g.phi.cell(g.band[b])));
        g.phi.data[g.band[b]] = sign * near.distance;
        g.nearest[b] = {near.tri, near.bary.cast<float>()};
      },
      256);
}

// Whether x lies inside solid s.
bool inside(const Grid& grid, const Surface& surface, const SolidGeometry& g, const Vec3& x) {
  if (!surface.present || sample_cells(g.phi, grid.to_cells(x)) > grid.dx) return false;
  const double distance = g.tree.closest(x).distance;
  return (surface.container ? -distance : distance) < 0;
}

// Where solids overlap: leave out the patches of one that lie inside another, they are no surface of the liquid, and
// close the cells again. What closes a cell moves with the nearest solid, one that stands still if there is one.
void settle_overlaps(const Grid& grid, const Surfaces& surfaces, const SolidField& field, CutCells& cut) {
  std::vector<Patch>& patches = cut.patches;
  std::vector<std::uint8_t> hidden(patches.size(), 0);
  for_each_index(
      patches.size(),
      [&](std::size_t i) {
        const Vec3 at = patch_center(patches[i], surfaces);
        for (std::size_t s = 0; s < surfaces.size(); ++s)
          if (int(s) != patches[i].surface && inside(grid, surfaces[s], field.each[s], at)) hidden[i] = 1;
      },
      256);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < patches.size(); ++i)
    if (!hidden[i]) patches[kept++] = patches[i];
  patches.resize(kept);

  constexpr double closed = 1e-13;  // face areas
  const std::vector<Vec3> defect = closure_defect(cut);
  for (std::size_t i = 0; i < defect.size(); ++i) {
    if (defect[i].cwiseAbs().maxCoeff() < closed) continue;
    const Vec3 center = grid.center(cut.volume.cell(i));
    int nearest = -1;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (!surfaces[s].present || field.each[s].phi.data[i] > 2 * grid.dx) continue;
      const auto rank = [&](int o) { return std::pair(surfaces[o].moving, field.each[o].phi.data[i]); };
      if (nearest < 0 || rank(int(s)) < rank(nearest)) nearest = int(s);
    }
    if (nearest < 0) continue;  // nothing near: round-off
    const ClosestPoint near = field.each[nearest].tree.closest(center);
    patches.push_back({int(i), nearest, near.tri, -defect[i], near.bary});
  }
  std::stable_sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) { return a.cell < b.cell; });
}

}  // namespace

CutCells exact_boundary(const Grid& grid, const Surfaces& surfaces, const SolidField& field) {
  std::vector<const SolidCut*> cuts;
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (field.present[s]) cuts.push_back(&field.each[s].cut);
  CutCells cut = combine(grid, cuts);
  if (cut.overlaps) settle_overlaps(grid, surfaces, field, cut);
  remove_slivers(grid, surfaces, cut);
  return cut;
}

void update_solid_field(const Grid& grid, const Surfaces& surfaces, SolidField& field) {
  const bool first = field.phi.size() == 0;
  const bool moving = std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.moving; });
  std::vector<bool> present(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) present[s] = surfaces[s].present;
  if (!first && !moving && present == field.present) return;
  field.present = present;
  ++field.updates;
  field.each.resize(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (first || surfaces[s].moving) update_one(grid, surfaces[s], int(s), field.each[s]);

  field.phi.assign(grid.n, distance_band * grid.dx);
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!present[s]) continue;
    const SolidGeometry& g = field.each[s];
    for_each_index(field.phi.size(),
                   [&](std::size_t i) { field.phi.data[i] = std::min(field.phi.data[i], g.phi.data[i]); });
  }
  field.cut = field.make_boundary(grid, surfaces, field);
}

Array3<Vec3f> surface_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field) {
  Array3<Vec3f> velocity;
  if (std::none_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.moving; })) return velocity;
  velocity.assign(grid.n, Vec3f::Zero());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const SolidGeometry& g = field.each[s];
    if (!surfaces[s].present) continue;
    for_each_index(
        g.band.size(),
        [&](std::size_t b) {
          const int cell = g.band[b];
          if (g.phi.data[cell] != field.phi.data[cell]) return;
          const SurfacePoint& at = g.nearest[b];
          velocity.data[cell] = surfaces[s].at(surfaces[s].v, at.tri, at.bary.cast<double>()).cast<float>();
        },
        1024);
  }
  return velocity;
}

}  // namespace coracle
