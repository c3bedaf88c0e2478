#include "coracle/step/grid/exact_boundary.h"
#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/step/grid/face_union.h"
#include "coracle/step/grid/slivers.h"

#include <algorithm>

namespace coracle {
namespace {

// Whether x lies inside the solid.
bool inside(const Grid& grid, const Surface& surface, const SolidGeometry& g, const Vec3& x) {
  if (!surface.present || sample_cells(g.phi, grid.to_cells(x)) > grid.dx) return false;
  const double distance = g.tree.closest(x).distance;
  return (surface.container ? -distance : distance) < 0;
}

bool by_cell(const Patch& a, const Patch& b) { return a.cell < b.cell; }

// Those of sorted patches, each once.
std::vector<int> cells_of(const std::vector<Patch>& patches) {
  std::vector<int> cells;
  for (const Patch& p : patches)
    if (cells.empty() || cells.back() != p.cell) cells.push_back(p.cell);
  return cells;
}

// Where solids overlap, remove the patches of one solid that lie inside another: they touch no liquid. Then close the
// cells again. The patch that closes a cell moves with the nearest solid; solids that stand still take precedence.
void resolve_overlaps(const Grid& grid, const Surfaces& surfaces, const SolidField& field, Boundary& cut) {
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
  const std::vector<int> cells = cells_of(patches);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < patches.size(); ++i)
    if (!hidden[i]) patches[kept++] = patches[i];
  patches.resize(kept);

  // Only a cell that a surface passes through can be open.
  constexpr double closed = 1e-13;  // face areas
  std::vector<std::vector<Patch>> missing((cells.size() + 255) / 256);
  for_blocks(cells.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const int cell = cells[k];
      Vec3 defect = open_defect(cut, std::size_t(cell));
      const auto [from, to] = std::equal_range(patches.begin(), patches.end(), Patch{cell, 0, 0, {}, {}},
                                               [](const Patch& a, const Patch& b) { return a.cell < b.cell; });
      Vec3 wet = Vec3::Zero();
      for (auto p = from; p != to; ++p) wet += p->area;
      defect = wet + defect;
      if (defect.cwiseAbs().maxCoeff() < closed) continue;
      int nearest = -1;
      for (std::size_t s = 0; s < surfaces.size(); ++s) {
        if (!surfaces[s].present || field.each[s].phi.data[cell] > 2 * grid.dx) continue;
        const auto rank = [&](int o) { return std::pair(surfaces[o].moving, field.each[o].phi.data[cell]); };
        if (nearest < 0 || rank(int(s)) < rank(nearest)) nearest = int(s);
      }
      if (nearest < 0) continue;  // nothing near: round-off
      const ClosestPoint near = field.each[nearest].tree.closest(grid.center(cut.volume.cell(std::size_t(cell))));
      missing[begin / 256].push_back({cell, nearest, near.tri, -defect, near.bary});
    }
  });
  for (const auto& part : missing) patches.insert(patches.end(), part.begin(), part.end());
  std::stable_sort(patches.begin(), patches.end(), by_cell);
}

void take_back(const std::vector<BoundaryWork::Change>& changes, Boundary& cut) {
  for (auto c = changes.rbegin(); c != changes.rend(); ++c)
    (c->axis < 0 ? cut.volume : cut.open[c->axis]).data[c->index] = c->before;
}

// Faces in the boxes are found again.
void renew(const std::vector<FaceId>& found, std::span<const CellBox> changed, const Boundary& cut,
           std::vector<FaceId>& shared) {
  std::erase_if(shared, [&](const FaceId& f) {
    const Vec3i at = cut.open[f.axis].cell(f.index);
    return std::any_of(changed.begin(), changed.end(),
                       [&](const CellBox& box) { return box.faces(f.axis).contains(at); });
  });
  shared.insert(shared.end(), found.begin(), found.end());
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
}

}  // namespace

void exact_boundary(const Grid& grid, const Surfaces& surfaces, std::span<const CellBox> changed, SolidField& field) {
  Boundary& cut = field.cut;
  BoundaryWork& work = field.boundary;
  if (cut.volume.n != grid.n) {
    cut.open = make_face_field(grid, 1.0);
    cut.volume.assign(grid.n, 1);
  }
  take_back(work.changes, cut);
  work.changes.clear();
  std::vector<const SolidCut*> cuts;
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (field.present[s]) cuts.push_back(&field.each[s].cut);
  std::vector<FaceId> found;
  combine(cuts, changed, cut, &found);
  renew(found, changed, cut, work.shared);

  cut.patches.clear();
  cut.merged = cut.clamped = cut.dropped = 0;
  cut.overlaps = cuts.size() > 1;
  for (const SolidCut* one : cuts) {
    const std::ptrdiff_t middle = std::ptrdiff_t(cut.patches.size());
    cut.patches.insert(cut.patches.end(), one->patches.begin(), one->patches.end());
    std::inplace_merge(cut.patches.begin(), cut.patches.begin() + middle, cut.patches.end(), by_cell);
    cut.overlaps = cut.overlaps || one->overlaps;
  }
  const std::vector<int> cells = cells_of(cut.patches);
  for (const FaceId& f : work.shared) work.changes.push_back({f.axis, f.index, cut.open[f.axis].data[f.index]});
  open_by_union(grid, surfaces, field, work.shared, cut);
  if (cut.overlaps) resolve_overlaps(grid, surfaces, field, cut);
  remove_slivers(grid, surfaces, cells, cut, work.changes);
}

}  // namespace coracle
