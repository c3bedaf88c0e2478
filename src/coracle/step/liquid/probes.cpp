#include "coracle/step/liquid/probes.h"

#include "coracle/base/parallel.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/volume.h"

namespace coracle {

double volume_in_box(const World& world, const Liquid& liquid, const LiquidWork& work, const PosedBox& box) {
  const Grid& grid = liquid.grid;
  if (liquid.particles.size() == 0) return 0;
  const Surfaces surfaces(world.solids);
  const bool inflows = has_inflows(surfaces);
  return sum_blocks(work.fluid_phi.size(), [&](std::size_t begin, std::size_t end) {
    double volume = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool full = work.fluid_phi.data[i] < -0.5 * grid.dx;
      if (full) {
        const double share = box.share_of_cube(grid.center(work.fluid_phi.cell(i)), grid.dx);
        volume += share * work.solids.cut.volume.data[i] * grid.cell_volume();
        continue;
      }
      for (std::size_t p = work.cell_start[i]; p < work.cell_start[i + 1]; ++p) {
        const Vec3& x = liquid.particles.x[p];
        if (box.contains(x) && !(inflows && inside_inflow(surfaces, work.solids, x))) volume += particle_volume(grid);
      }
    }
    return volume;
  });
}

}  // namespace coracle
