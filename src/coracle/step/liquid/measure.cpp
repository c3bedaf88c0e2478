#include "coracle/step/liquid/measure.h"

#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/volume.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

struct Sums {
  double kinetic = 0, fastest = 0;
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
};

Sums particle_sums(const Particles& particles) {
  return reduce_blocks(
      particles.size(), 4096, Sums{},
      [&](std::size_t begin, std::size_t end) {
        Sums s;
        for (std::size_t p = begin; p < end; ++p) {
          const Vec3 v = particles.v[p].cast<double>();
          s.kinetic += 0.5 * v.squaredNorm();
          s.momentum += v;
          s.moment += particles.x[p];
          s.fastest = std::max(s.fastest, v.norm());
        }
        return s;
      },
      [](Sums a, const Sums& b) {
        a.kinetic += b.kinetic;
        a.momentum += b.momentum;
        a.moment += b.moment;
        a.fastest = std::max(a.fastest, b.fastest);
        return a;
      });
}

}  // namespace

Acceleration acceleration_in(const Kick& kick, const Scene& scene, const Liquid& liquid, const Particles& before) {
  const std::vector<Vec3f>&last = before.v, &now = liquid.particles.v;
  Acceleration sum = reduce_blocks(
      now.size(), 4096, Acceleration{},
      [&](std::size_t begin, std::size_t end) {
        Acceleration s;
        for (std::size_t p = begin; p < end; ++p) {
          const Vec3 v = now[p].cast<double>(), change = v - last[p].cast<double>();
          s.force += change;
          s.power += v.dot(change);
          s.square += change.squaredNorm();
        }
        return s;
      },
      [](Acceleration x, const Acceleration& y) {
        x.force += y.force;
        x.power += y.power;
        x.square += y.square;
        return x;
      });
  const double mass = scene.liquid.density * particle_volume(liquid.grid), per_s = kick.steady / kick.length;
  sum.force *= mass * per_s;
  sum.power *= mass * per_s;
  sum.square *= mass * per_s * per_s;
  return sum;
}

void add_acceleration(const Acceleration& a, double lag, LiquidReport& report) {
  report.kinetic_energy = std::max(0.0, report.kinetic_energy + lag * a.power + 0.5 * lag * lag * a.square);
  report.momentum += lag * a.force;
}

LiquidReport measure_volume(const World& world, const Liquid& liquid, const LiquidWork& work) {
  const Grid& grid = liquid.grid;
  const Surfaces surfaces(world.solids);
  const bool inflows = has_inflows(surfaces);
  struct Counts {
    double full = 0;   // cells of open room well inside the liquid
    double loose = 0;  // particles elsewhere
    double spray = 0;
  };
  const Counts sums = reduce_blocks(
      work.fluid_phi.size(), 4096, Counts{},
      [&](std::size_t begin, std::size_t end) {
        Counts c;
        for (std::size_t i = begin; i < end; ++i) {
          if (work.fluid_phi.data[i] < -0.5 * grid.dx) {
            c.full += work.solids.cut.volume.data[i];
            continue;
          }
          for (std::size_t p = work.cell_start[i]; p < work.cell_start[i + 1]; ++p) {
            if (inflows && inside_inflow(surfaces, work.solids, liquid.particles.x[p])) continue;
            c.loose += 1;
            c.spray += work.spray[p];
          }
        }
        return c;
      },
      [](const Counts& a, const Counts& b) {
        return Counts{a.full + b.full, a.loose + b.loose, a.spray + b.spray};
      });
  LiquidReport report;
  report.particles = liquid.particles.size();
  report.spray = std::size_t(sums.spray);
  report.volume = grid.cell_volume() * sums.full + particle_volume(grid) * sums.loose;
  report.expected_volume = liquid.expected_volume;
  return report;
}

void measure_liquid(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work,
                    LiquidReport& report) {
  const double mass = scene.liquid.density * particle_volume(liquid.grid);
  const Sums sums = particle_sums(liquid.particles);
  const LiquidReport volume = liquid.particles.size() > 0 ? measure_volume(world, liquid, work) : LiquidReport{};
  report.particles = volume.particles;
  report.spray = volume.spray;
  report.volume = volume.volume;
  report.expected_volume = volume.expected_volume;
  report.max_speed = sums.fastest;
  report.kinetic_energy = mass * sums.kinetic;
  report.momentum = mass * sums.momentum;
  report.potential_energy =
      -mass * scene.gravity.dot(sums.moment - double(liquid.particles.size()) * liquid.grid.origin);
}

}  // namespace coracle
