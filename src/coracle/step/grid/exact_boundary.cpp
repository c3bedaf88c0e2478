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

Boundary exact_boundary(const Grid& grid, const Surfaces& surfaces, const SolidField& field) {
  std::vector<const SolidCut*> cuts;
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (field.present[s]) cuts.push_back(&field.each[s].cut);
  std::vector<FaceId> shared;
  Boundary cut = combine(grid, cuts, &shared);
  open_by_union(grid, surfaces, field, shared, cut);
  if (cut.overlaps) resolve_overlaps(grid, surfaces, field, cut);
  remove_slivers(grid, surfaces, cut);
  return cut;
}

}  // namespace coracle
