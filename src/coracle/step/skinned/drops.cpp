#include "coracle/step/skinned/drops.h"

#include "coracle/base/parallel.h"
#include "coracle/step/particles/push_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace coracle {
namespace {

constexpr double piece = 0.5;       // cells, of a drop's way
constexpr double most_pieces = 64;  // a step of 32 cells
constexpr double touching = 0.1;    // cells: a drop so near to a wall or a solid lies on it

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

void remove_empty(Drops& drops) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drops.size(); ++i)
    if (drops.volume[i] > 0) {
      drops.x[kept] = drops.x[i], drops.v[kept] = drops.v[i], drops.volume[kept] = drops.volume[i];
      ++kept;
    }
  drops.x.resize(kept), drops.v.resize(kept), drops.volume.resize(kept);
}

void move_drops(const Surroundings& around, const Vec3& gravity, double dt, Drops& drops) {
  const Grid& grid = around.grid;
  std::vector<int> pieces(drops.size());
  for_each_index(drops.size(), [&](std::size_t i) {
    drops.v[i] += dt * gravity;
    pieces[i] = int(std::clamp(std::ceil(dt * drops.v[i].norm() / (piece * grid.dx)), 1.0, most_pieces));
  });
  std::vector<std::uint32_t> moving(drops.size());
  std::iota(moving.begin(), moving.end(), 0u);
  std::vector<Vec3> before, flown, x;
  for (int k = 0; !moving.empty(); ++k) {
    before.resize(moving.size()), flown.resize(moving.size()), x.resize(moving.size());
    for_each_index(moving.size(), [&](std::size_t m) {
      const std::uint32_t i = moving[m];
      before[m] = drops.x[i];
      flown[m] = before[m] + dt / pieces[i] * drops.v[i];
      x[m] = kept_inside(grid, flown[m]);
    });
    push_out(grid, around.surfaces, around.solids, before, dt, x);
    // What was pushed back keeps the velocity along what it met.
    for_each_index(moving.size(), [&](std::size_t m) {
      const std::uint32_t i = moving[m];
      drops.x[i] = x[m];
      const Vec3 pushed = x[m] - flown[m];
      const double way = pushed.norm();
      if (way == 0) return;
      const double speed = std::min(way, grid.dx) * pieces[i] / dt;  // no further than it can have come in
      drops.v[i] += speed / way * pushed;
    });
    std::erase_if(moving, [&](std::uint32_t i) { return pieces[i] <= k + 1; });
  }
}

void put_outside(const Surroundings& around, double dt, std::size_t first, Drops& drops) {
  std::vector<Vec3> x(drops.x.begin() + first, drops.x.end());
  for (Vec3& at : x) at = kept_inside(around.grid, at);
  const std::vector<Vec3> before = x;
  push_out(around.grid, around.surfaces, around.solids, before, dt, x);
  std::copy(x.begin(), x.end(), drops.x.begin() + first);
}

void merge_drops(const Surroundings& around, Drops& drops, Particles& bulk) {
  const Grid& grid = around.grid;
  // Those that merge, cell by cell.
  struct Merging {
    std::uint64_t cell;
    std::uint32_t drop;
  };
  std::vector<std::int64_t> cell(drops.size(), -1);  // −1: it flies on
  for_each_index(drops.size(), [&](std::size_t i) {
    const std::size_t c = grid.cell_index(grid.cell_of(drops.x[i]));
    if (around.liquid_phi.data[c] < 0 || clearance(around, drops.x[i]) < touching * grid.dx) cell[i] = std::int64_t(c);
  });
  std::vector<Merging> merging;
  for (std::size_t i = 0; i < drops.size(); ++i)
    if (cell[i] >= 0) merging.push_back({.cell = std::uint64_t(cell[i]), .drop = std::uint32_t(i)});
  std::sort(merging.begin(), merging.end(),
            [](const Merging& a, const Merging& b) { return a.cell != b.cell ? a.cell < b.cell : a.drop < b.drop; });
  for (std::size_t first = 0, end = 0; first < merging.size(); first = end) {
    double volume = 0;
    Vec3 momentum = Vec3::Zero(), center = Vec3::Zero();
    for (end = first; end < merging.size() && merging[end].cell == merging[first].cell; ++end) {
      const std::uint32_t i = merging[end].drop;
      const double each = std::exchange(drops.volume[i], 0);
      volume += each;
      momentum += each * drops.v[i], center += each * drops.x[i];
    }
    if (!(volume > 0)) continue;
    const Vec3 v = momentum / volume;
    double rest = volume;
    for (std::size_t k = first; k < end && rest >= around.particle_volume; ++k) {
      rest -= around.particle_volume;
      add_particle(drops.x[merging[k].drop], v, bulk);
    }
    while (rest >= around.particle_volume) {  // more volume than places
      rest -= around.particle_volume;
      add_particle(center / volume, v, bulk);
    }
    const std::uint32_t last = merging[end - 1].drop;
    drops.volume[last] = rest, drops.v[last] = v;
  }
  remove_empty(drops);
}

}  // namespace coracle
