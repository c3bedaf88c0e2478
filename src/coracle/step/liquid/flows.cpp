#include "coracle/step/liquid/flows.h"

#include "coracle/base/random.h"
#include "coracle/step/skinned/drops.h"

#include <algorithm>
#include <cmath>

namespace coracle {

std::size_t count_outside_inflows(const Surfaces& surfaces, const SolidField& field, const Particles& particles) {
  if (!has_inflows(surfaces)) return particles.size();
  return std::size_t(sum_blocks(particles.size(), [&](std::size_t begin, std::size_t end) {
    double count = 0;
    for (std::size_t p = begin; p < end; ++p) count += !inside_inflow(surfaces, field, particles.x[p]);
    return count;
  }));
}

Particles emission(const LiquidOptions& options, const Solid& flow, const Grid& grid, const SolidGeometry& g,
                   double time, double dt, bool opening) {
  Particles particles;
  const double h = 0.5 * grid.dx;           // eight points per cell
  const Vec3 shift = flow.flowed_at(time);  // of the lattice since the inflow started
  const auto holds = [&](const Vec3& x) {
    return (x.array() > grid.origin.array()).all() && (x.array() < grid.upper().array()).all() && inside(g, x);
  };
  const Vec3 lo = ((g.tree.lower() - shift - grid.origin) / h).array().floor();
  const Vec3 hi = ((g.tree.upper() - shift - grid.origin) / h).array().floor();
  for (long k = long(lo.z()); k <= long(hi.z()); ++k)
    for (long j = long(lo.y()); j <= long(hi.y()); ++j)
      for (long i = long(lo.x()); i <= long(hi.x()); ++i) {
        const std::uint64_t key =
            mix(mix(mix(std::uint64_t(i)) ^ std::uint64_t(j)) ^ std::uint64_t(k)) ^ std::uint64_t(options.seed);
        const Vec3 point =
            grid.origin + shift +
            h * Vec3(double(i) + uniform(key, 0), double(j) + uniform(key, 1), double(k) + uniform(key, 2));
        if (!holds(point) || (!opening && holds(point - dt * flow.flow))) continue;
        particles.x.push_back(point);
        particles.v.push_back(flow.flow.cast<float>());
      }
  return particles;
}

void emit_particles(const LiquidOptions& options, const World& world, const Grid& grid, const SolidField& field,
                    const std::vector<bool>& present, double dt, Particles& particles) {
  for (std::size_t s = 0; s < world.solids.size(); ++s) {
    const Solid& flow = world.solids[s];
    if (!flow.inflow || !flow.present) continue;
    const SolidGeometry& g = field.each[s];
    if (!present[s]) {  // remove the liquid that was there before
      std::vector<std::uint8_t> gone(particles.size());
      for_each_index(gone.size(), [&](std::size_t p) { gone[p] = inside(g, particles.x[p]); });
      remove_particles(particles, gone);
    }
    const Particles fresh = emission(options, flow, grid, g, world.clock.time, dt, !present[s]);
    particles.x.insert(particles.x.end(), fresh.x.begin(), fresh.x.end());
    particles.v.insert(particles.v.end(), fresh.v.begin(), fresh.v.end());
  }
  if (options.advection == Advection::apic) particles.c.resize(particles.size(), Mat3f::Zero());
}

void forget_drained(const Grid& grid, const std::vector<Region>& outflows, std::vector<Pocket>& pockets) {
  const auto drained = [&](int cell) {
    const Vec3 center = grid.center(grid.cell_at(std::size_t(cell)));
    for (const Region& region : outflows)
      for (int corner = 0; corner < 9; ++corner) {  // the last one is the centre
        Vec3 x = center;
        for (int a = 0; a < 3 && corner < 8; ++a) x[a] += (corner >> a & 1 ? 0.5 : -0.5) * grid.dx;
        if (region.contains(x)) return true;
      }
    return false;
  };
  std::erase_if(pockets, [&](const Pocket& p) { return std::any_of(p.cells.begin(), p.cells.end(), drained); });
}

std::size_t drain(const std::vector<Region>& outflows, Particles& particles) {
  if (outflows.empty()) return 0;
  std::vector<std::uint8_t> gone(particles.size(), 0);
  for_each_index(particles.size(), [&](std::size_t p) {
    for (const Region& region : outflows)
      if (region.contains(particles.x[p])) gone[p] = 1;
  });
  return remove_particles(particles, gone);
}

double drain(const std::vector<Region>& outflows, Drops& drops) {
  double volume = 0;
  for (std::size_t i = 0; i < drops.size(); ++i)
    if (std::any_of(outflows.begin(), outflows.end(), [&](const Region& r) { return r.contains(drops.x[i]); })) {
      volume += drops.volume[i];
      drops.volume[i] = 0;
    }
  if (volume > 0) remove_empty(drops);
  return volume;
}

}  // namespace coracle
