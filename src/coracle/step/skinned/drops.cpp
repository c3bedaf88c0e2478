#include "coracle/step/skinned/drops.h"

#include "coracle/base/parallel.h"
#include "coracle/step/particles/cells.h"
#include "coracle/step/particles/push_out.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr double touching = 0.1;  // cells: a drop so near to a wall or a solid lies on it

// The distance to the nearest side of the domain or solid, by the field on the grid, m.
double clearance(const Surroundings& around, const Vec3& x) {
  const Grid& grid = around.grid;
  const double side = std::min((x - grid.origin).minCoeff(), (grid.upper() - x).minCoeff());
  return std::min(side, sample_cells(around.solids.phi, grid.to_cells(x)));
}

void add_particle(const Vec3& x, const Vec3& v, Particles& bulk) {
  bulk.x.push_back(x);
  bulk.v.push_back(v.cast<float>());
  if (!bulk.c.empty()) bulk.c.push_back(Mat3f::Zero());
}

}  // namespace

void move_drops(const Surroundings& around, const Vec3& gravity, double dt, Drops& drops) {
  const std::vector<Vec3> before = drops.x;
  std::vector<Vec3> flown(drops.size());
  for_each_index(drops.size(), [&](std::size_t i) {
    drops.v[i] += dt * gravity;
    flown[i] = before[i] + dt * drops.v[i];
    drops.x[i] = kept_inside(around.grid, flown[i]);
  });
  push_out(around.grid, around.surfaces, around.solids, before, dt, drops.x);
  // What was pushed back keeps the velocity along what it met.
  for_each_index(drops.size(), [&](std::size_t i) {
    const Vec3 pushed = drops.x[i] - flown[i];
    const double way = pushed.norm();
    if (way == 0) return;
    const double speed = std::min(way, around.grid.dx) / dt;  // no further than it can have come in
    drops.v[i] += speed / way * pushed;
  });
}

void merge_drops(const Surroundings& around, Drops& drops, Particles& bulk) {
  const Grid& grid = around.grid;
  const CellOrder sorted = order_by_cell(grid, drops.x);
  Drops kept;
  for (std::size_t c = 0; c + 1 < sorted.start.size(); ++c) {
    const std::uint32_t first = sorted.start[c], end = sorted.start[c + 1];
    if (first == end) continue;
    const bool in_bulk = around.liquid_phi.data[c] < 0;
    double volume = 0;
    Vec3 momentum = Vec3::Zero(), center = Vec3::Zero();
    std::vector<std::uint32_t> merging;
    for (std::uint32_t k = first; k < end; ++k) {
      const std::uint32_t i = sorted.order[k];
      if (in_bulk || clearance(around, drops.x[i]) < touching * grid.dx) {
        merging.push_back(i);
        volume += drops.volume[i];
        momentum += drops.volume[i] * drops.v[i], center += drops.volume[i] * drops.x[i];
      } else {
        kept.add(drops.x[i], drops.v[i], drops.volume[i]);
      }
    }
    if (merging.empty()) continue;
    const Vec3 v = momentum / volume;
    double rest = volume;
    for (const std::uint32_t i : merging) {
      if (rest < around.particle_volume) break;
      rest -= around.particle_volume;
      add_particle(drops.x[i], v, bulk);
    }
    while (rest >= around.particle_volume) {  // more volume than places
      rest -= around.particle_volume;
      add_particle(center / volume, v, bulk);
    }
    if (rest > 0) kept.add(drops.x[merging.back()], v, rest);
  }
  drops = std::move(kept);
}

}  // namespace coracle
