#include "coracle/step/liquid/measure.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/volume.h"

#include <algorithm>
#include <atomic>
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

// Sampled ten times per cell, with linear ends.
double wet_length(const Grid& grid, const Array3<double>& phi, const Vec3& from, const Vec3& to) {
  const double length = (to - from).norm();
  const int pieces = std::max(1, int(std::ceil(10 * length / grid.dx)));
  const auto at = [&](int i) { return sample_cells(phi, grid.to_cells(from + (to - from) * (double(i) / pieces))); };
  double wet = 0, a = at(0);
  for (int i = 1; i <= pieces; ++i) {
    const double b = at(i);
    wet += a < 0 && b < 0 ? 1 : a < 0 ? a / (a - b) : b < 0 ? b / (b - a) : 0;
    a = b;
  }
  return wet * length / pieces;
}

// Whole cells first: most lie on one side of the hull.
std::size_t count_outside(const Body& body, const Liquid& liquid, const CellStart& start) {
  if (liquid.particles.size() == 0) return 0;
  const Grid& grid = liquid.grid;
  const TriTree hull(body.x, body.rest->skin.hull);
  const double half_diagonal = 0.5 * std::sqrt(3.0) * grid.dx;
  std::atomic<std::size_t> count = 0;
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const double distance = hull.closest(grid.center(c)).distance;
    if (distance < -half_diagonal) return;
    if (distance > half_diagonal) {
      count += end - begin;
      return;
    }
    for (std::size_t p = begin; p < end; ++p) count += hull.closest(liquid.particles.x[p]).distance > 0;
  });
  return count;
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
