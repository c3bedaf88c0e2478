#include "coracle/step/grid/solid_field.h"

#include "coracle/base/parallel.h"

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

}  // namespace

void update_solid_field(const Grid& grid, const Surfaces& surfaces, MakeBoundary make, SolidField& field) {
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
  field.cut = make(grid, surfaces, field);
}

TreeList trees_of(const SolidField& field) {
  TreeList trees;
  for (const SolidGeometry& g : field.each) trees.push_back(&g.tree);
  return trees;
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
