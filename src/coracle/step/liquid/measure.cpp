#include "coracle/step/liquid/measure.h"

#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/volume.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace coracle {
namespace {

ParticleSums particle_sums(const Particles& particles) {
  return reduce_blocks(
      particles.size(), 4096, ParticleSums{},
      [&](std::size_t begin, std::size_t end) {
        ParticleSums s;
        for (std::size_t p = begin; p < end; ++p) s = s + sums_of(particles.x[p], particles.v[p]);
        return s;
      },
      std::plus());
}

}  // namespace

Acceleration scaled(Acceleration sum, const Kick& kick, double density, const Grid& grid) {
  const double mass = density * particle_volume(grid), per_s = kick.steady / kick.length;
  sum.force *= mass * per_s;
  sum.power *= mass * per_s;
  sum.square *= mass * per_s * per_s;
  return sum;
}

Acceleration acceleration_in(const Kick& kick, const Scene& scene, const Liquid& liquid, const Particles& before) {
  const std::vector<Vec3f>&last = before.v, &now = liquid.particles.v;
  const Acceleration sum = reduce_blocks(
      now.size(), 4096, Acceleration{},
      [&](std::size_t begin, std::size_t end) {
        Acceleration s;
        for (std::size_t p = begin; p < end; ++p) s = s + acceleration_of(last[p], now[p]);
        return s;
      },
      std::plus());
  return scaled(sum, kick, scene.liquid.density, liquid.grid);
}

void add_acceleration(const Acceleration& a, double lag, LiquidReport& report) {
  report.kinetic_energy = std::max(0.0, report.kinetic_energy + lag * a.power + 0.5 * lag * lag * a.square);
  report.momentum += lag * a.force;
}

LiquidReport measure_volume(const World& world, const Liquid& liquid, const LiquidWork& work) {
  const Grid& grid = liquid.grid;
  const Surfaces surfaces(world.solids);
  const bool inflows = has_inflows(surfaces);
  const auto counts = [&](std::size_t p) {
    return !inflows || !inside_inflow(surfaces, work.solids, liquid.particles.x[p]);
  };
  const VolumeCounts sums = reduce_blocks(
      work.fluid_phi.size(), 4096, VolumeCounts{},
      [&](std::size_t begin, std::size_t end) {
        VolumeCounts c;
        for (std::size_t i = begin; i < end; ++i)
          c = c + count_cell(i, grid.dx, work.fluid_phi.data.data(), work.solids.cut.volume.data.data(),
                             work.cell_start.data(), work.spray.data(), counts);
        return c;
      },
      std::plus());
  return report_volume(grid, sums, liquid.particles.size(), liquid.expected_volume);
}

LiquidReport report_volume(const Grid& grid, const VolumeCounts& counts, std::size_t particles,
                           double expected_volume) {
  LiquidReport report;
  report.particles = particles;
  report.spray = std::size_t(counts.spray);
  report.volume = grid.cell_volume() * counts.full + particle_volume(grid) * counts.loose;
  report.expected_volume = expected_volume;
  return report;
}

void measure_liquid(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work,
                    LiquidReport& report) {
  const std::size_t particles = liquid.particles.size();
  report_liquid(scene, liquid.grid, particle_sums(liquid.particles),
                particles > 0 ? measure_volume(world, liquid, work) : LiquidReport{}, particles, report);
}

void report_liquid(const Scene& scene, const Grid& grid, const ParticleSums& sums, const LiquidReport& volume,
                   std::size_t particles, LiquidReport& report) {
  const double mass = scene.liquid.density * particle_volume(grid);
  report.particles = volume.particles;
  report.spray = volume.spray;
  report.volume = volume.volume;
  report.expected_volume = volume.expected_volume;
  report.max_speed = sums.fastest;
  report.kinetic_energy = mass * sums.kinetic;
  report.momentum = mass * sums.momentum;
  report.potential_energy = -mass * scene.gravity.dot(sums.moment - double(particles) * grid.origin);
}

}  // namespace coracle
