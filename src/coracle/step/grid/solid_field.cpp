#include "coracle/step/grid/solid_field.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {
namespace {

// Cells within `distance_band` cells, along every axis, of a cell that holds a patch. Increasing.
std::vector<int> band_cells(const Grid& grid, const SolidCut& cut) {
  const CellBox box = cut.box().grown(distance_band, grid.n);
  if (box.empty()) return {};
  const Shape3 all{grid.n};
  Array3<std::uint8_t> marked(box.size()), next(box.size());
  for (const Patch& p : cut.patches) marked[all.cell(std::size_t(p.cell)) - box.lo] = 1;
  for (int a = 0; a < 3; ++a) {  // spread along one axis after the other
    const std::ptrdiff_t stride = std::ptrdiff_t(marked.stride(a));
    for_box(marked.n, {Vec3i::Zero(), marked.n}, [&](std::size_t i, const Vec3i& c) {
      const int from = std::max(-distance_band, -c[a]), to = std::min(distance_band, marked.n[a] - 1 - c[a]);
      std::uint8_t near = 0;
      for (int d = from; d <= to; ++d) near |= marked.data[std::size_t(std::ptrdiff_t(i) + d * stride)];
      next.data[i] = near;
    });
    marked.data.swap(next.data);
  }
  const std::size_t layer = std::size_t(marked.n.x()) * marked.n.y();
  std::vector<std::vector<int>> found(marked.n.z());
  for_blocks(found.size(), 1, [&](std::size_t k, std::size_t) {
    for (std::size_t i = k * layer; i < (k + 1) * layer; ++i)
      if (marked.data[i]) found[k].push_back(int(all.index(box.lo + marked.cell(i))));
  });
  std::vector<int> cells;
  for (const auto& part : found) cells.insert(cells.end(), part.begin(), part.end());
  return cells;
}

// Two boxes, as one where that is no more cells.
void add_boxes(const CellBox& a, const CellBox& b, std::vector<CellBox>& boxes) {
  const CellBox hull{a.lo.cwiseMin(b.lo), a.hi.cwiseMax(b.hi)};
  if (!a.empty() && !b.empty() && hull.count() <= a.count() + b.count()) {
    boxes.push_back(hull);
    return;
  }
  for (const CellBox& box : {a, b})
    if (!box.empty()) boxes.push_back(box);
}

void update_one(const Grid& grid, const Surface& surface, int id, SolidGeometry& g) {
  const double far = distance_band * grid.dx;
  if (g.phi.n != grid.n)
    g.phi.assign(grid.n, far);
  else
    for_box(grid.n, box_around(grid, g), [&](std::size_t i, const Vec3i&) { g.phi.data[i] = far; });
  g.tree = TriTree(surface.x, surface.tris);
  cut_solid(grid, surface, id, g.cut);
  g.band = band_cells(grid, g.cut);
  g.nearest.resize(g.band.size());
  for_box(grid.n, g.cut.box(),
          [&](std::size_t i, const Vec3i& c) { g.phi.data[i] = g.cut.volume[c] > 0.5 ? -far : far; });
  const double sign = surface.container ? -1 : 1;
  for_blocks(g.band.size(), 64, [&](std::size_t begin, std::size_t end) {
    // Between two points the distance changes by their distance at most: that of the last cell bounds the search.
    double within = std::numeric_limits<double>::infinity();
    Vec3 last = Vec3::Zero();
    for (std::size_t b = begin; b < end; ++b) {
      const Vec3 x = grid.center(g.phi.cell(g.band[b]));
      const ClosestPoint near = g.tree.closest(x, within + 1.001 * (x - last).norm());
      within = std::abs(near.distance), last = x;
      g.phi.data[g.band[b]] = sign * near.distance;
      g.nearest[b] = {near.tri, near.bary.cast<float>()};
    }
  });
}

}  // namespace

void update_solid_field(const Grid& grid, const Surfaces& surfaces, MakeBoundary make, SolidField& field) {
  const bool first = field.phi.size() == 0;
  const bool moving = std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.moving; });
  std::vector<bool> present(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) present[s] = surfaces[s].present;
  if (!first && !moving && present == field.present) return;
  ++field.updates;
  field.each.resize(surfaces.size());
  std::vector<CellBox> changed;
  std::vector<CellBox> before(surfaces.size());
  for_blocks(surfaces.size(), 1, [&](std::size_t s, std::size_t) {
    if (!first) before[s] = box_around(grid, field.each[s]);
    if (first || surfaces[s].moving) update_one(grid, surfaces[s], int(s), field.each[s]);
  });
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const bool was = !first && field.present[s];
    if ((present[s] || was) && (surfaces[s].moving || present[s] != was))
      add_boxes(before[s], box_around(grid, field.each[s]), changed);
  }
  field.present = present;
  const double far = distance_band * grid.dx;
  if (first) {
    field.phi.assign(grid.n, far);
    changed.assign(1, {Vec3i::Zero(), grid.n});
  }
  for (const CellBox& box : changed)
    for_box(grid.n, box, [&](std::size_t i, const Vec3i&) {
      double least = far;
      for (std::size_t s = 0; s < surfaces.size(); ++s)
        if (present[s]) least = std::min(least, field.each[s].phi.data[i]);
      field.phi.data[i] = least;
    });
  make(grid, surfaces, changed, field);
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
