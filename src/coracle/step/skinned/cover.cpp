#include "coracle/step/skinned/cover.h"

namespace coracle {
namespace {

// Cells: the place just outside the skin that must be free, and how deep in another solid it counts as covered, which
// is more than the field on the grid errs.
constexpr double outside = 0.25, deep = 0.1;

}  // namespace

void find_covered(const Surroundings& around, std::size_t surface, const SkinMotion& motion, SkinFrame& frame) {
  const Grid& grid = around.grid;
  frame.covered.assign(frame.area.size(), 0);
  for (std::size_t s = 0; s < around.surfaces.size(); ++s) {
    const Surface& other = around.surfaces[s];
    if (s == surface || other.inflow || !other.present || around.solids.each[s].phi.size() == 0) continue;
    for_each_index(frame.covered.size(), [&](std::size_t t) {
      const Vec3 x = centroid_of(motion, t) + outside * grid.dx * frame.normal[t];
      if (sample_cells(around.solids.each[s].phi, grid.to_cells(x)) < -deep * grid.dx) frame.covered[t] = 1;
    });
  }
}

void release_covered(const SkinMotion& motion, const SkinFrame& frame, Film& film, Drops& drops) {
  for (std::size_t t = 0; t < film.volume.size(); ++t) {
    if (!frame.is_covered(t)) continue;
    if (const double volume = film.volume[t] + film.pendant[t]; volume > 0)
      drops.add(centroid_of(motion, t), film.v[t], volume);
    film.volume[t] = film.pendant[t] = 0;
  }
}

}  // namespace coracle
