#include "coracle/step/measure.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/stress.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/gas/smoke.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/volume.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

namespace coracle {
namespace {

double memory_mb() {
  long pages = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

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

// Length of the part of a line that lies in liquid, sampled ten times a cell with linear ends.
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

// Pressure at a point from the cells around it that hold one; zero in air.
double pressure_at(const World& world, const Workspace& work, const Vec3& x) {
  const Corner8 c(Vec3(world.grid.to_cells(x).array() - 0.5), world.grid.n);
  double sum = 0, weight = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3i at = c.base;
    double w = 1;
    for (int a = 0; a < 3; ++a) {
      const int up = corner >> a & 1;
      at[a] += up * c.upper[a];
      w *= up ? c.frac[a] : 1 - c.frac[a];
    }
    if (!work.pressure.active[at]) continue;
    sum += w * world.pressure[at];
    weight += w;
  }
  return weight > 0 ? sum / weight : 0;
}

// Particles that are not within the body's outer surface. Most cells' are all on one side.
std::size_t count_outside(const Body& body, const World& world, const CellStart& start) {
  if (world.particles.size() == 0) return 0;
  const Grid& grid = world.grid;
  const TriTree hull(body.x, body.rest->hull);
  const double half_diagonal = 0.5 * std::sqrt(3.0) * grid.dx;
  std::atomic<std::size_t> count = 0;
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const double distance = hull.closest(grid.center(c)).distance;
    if (distance < -half_diagonal) return;
    if (distance > half_diagonal) {
      count += end - begin;
      return;
    }
    for (std::size_t p = begin; p < end; ++p) count += hull.closest(world.particles.x[p]).distance > 0;
  });
  return count;
}

std::vector<double> probe_values(const Scene& scene, const World& world, Workspace& work, const StepReport& report) {
  std::vector<double> values;
  std::size_t place = 0;  // of displacement probes
  for (const ProbeOptions& probe : scene.probes) {
    if (probe.kind == ProbeKind::pressure) values.push_back(pressure_at(world, work, probe.point));
    if (probe.kind == ProbeKind::height)
      values.push_back(wet_length(world.grid, work.liquid_phi, probe.from, probe.to));
    const auto found =
        std::find_if(world.bodies.begin(), world.bodies.end(), [&](const Body& b) { return b.name == probe.body; });
    if (probe.kind == ProbeKind::outside) values.push_back(double(count_outside(*found, world, work.cell_start)));
    if (probe.kind == ProbeKind::displacement) {
      const Body& body = *found;
      if (work.probe_places.size() == place) work.probe_places.push_back(embed(body.rest->mesh, {probe.point}));
      const Vec3 moved = embedded(work.probe_places[place++], body.rest->mesh.tets, body.x)[0] - probe.point;
      values.insert(values.end(), moved.begin(), moved.end());
    }
    if (probe.kind == ProbeKind::force) {
      Vec3 force = Vec3::Zero();
      for (const BodyReport& body : report.bodies)
        if (body.name == probe.solid) force = body.fluid_force;
      values.insert(values.end(), force.begin(), force.end());
    }
  }
  return values;
}

// Its velocity is that of the projection, before it is carried along itself.
void measure_gas(const Scene& scene, const World& world, const Workspace& work, GasReport& report) {
  const Grid& grid = world.grid;
  const Array3<double>& volume = work.solids.cut.volume;
  const double mass = scene.gas.density * grid.cell_volume();
  for (int a = 0; a < 3; ++a) {
    struct Faces {
      double energy = 0, momentum = 0, fastest = 0;
    };
    const Array3<double>& u = world.u[a];
    const Faces sums = reduce_blocks(
        u.size(), 4096, Faces{},
        [&](std::size_t begin, std::size_t end) {
          Faces f;
          for (std::size_t i = begin; i < end; ++i) {
            Vec3i lo = u.cell(i), hi = lo;
            double share = 0;  // of a cell that the face stands for
            if (--lo[a] >= 0) share += 0.5 * volume[lo];
            if (hi[a] < grid.n[a]) share += 0.5 * volume[hi];
            f.energy += 0.5 * share * u.data[i] * u.data[i];
            f.momentum += share * u.data[i];
            if (share > 0) f.fastest = std::max(f.fastest, std::abs(u.data[i]));
          }
          return f;
        },
        [](const Faces& x, const Faces& y) {
          return Faces{x.energy + y.energy, x.momentum + y.momentum, std::max(x.fastest, y.fastest)};
        });
    report.kinetic_energy += mass * sums.energy;
    report.momentum[a] = mass * sums.momentum;
    report.max_speed = std::max(report.max_speed, sums.fastest);
  }
  report.smoke = total_smoke(grid, volume, world.gas);
  report.expected_smoke = world.gas.expected_smoke;
  report.heat = grid.cell_volume() * sum_blocks(volume.size(), [&](std::size_t begin, std::size_t end) {
                  double sum = 0;
                  for (std::size_t i = begin; i < end; ++i) sum += volume.data[i] * world.gas.temperature.data[i];
                  return sum;
                });
  report.max_temperature = largest(
      volume.size(), [&](std::size_t i) { return volume.data[i] > 0 ? double(world.gas.temperature.data[i]) : 0.0; });
}

void measure_solid(const World& world, BodyReport& report) {
  const auto solid = std::find_if(world.solids.begin(), world.solids.end(),
                                  [&](const Solid& s) { return s.name == report.name && !s.inflow; });
  Vec3 moment = Vec3::Zero();
  for (const Vec3i& t : solid->rest->tris) {
    const double v = solid->x[t[0]].dot(solid->x[t[1]].cross(solid->x[t[2]])) / 6;
    report.volume += v;
    moment += v * (solid->x[t[0]] + solid->x[t[1]] + solid->x[t[2]]) / 4;
  }
  report.center = moment / report.volume;
}

void measure_body(const World& world, BodyReport& report) {
  const Body& body =
      *std::find_if(world.bodies.begin(), world.bodies.end(), [&](const Body& b) { return b.name == report.name; });
  report.volume = body_volume(body);
  double hull = 0;
  for (const Vec3i& t : body.rest->hull) hull += body.x[t[0]].dot(body.x[t[1]].cross(body.x[t[2]])) / 6;
  report.cavity = hull - report.volume;
  report.center = center_of_mass(body);
  report.min_element_quality = least_quality(body);
  report.elastic_energy = elastic_energy(body, body.x);
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    const Vec3 momentum = body.rest->mass[i] * body.v[i];
    report.kinetic_energy += 0.5 * momentum.dot(body.v[i]);
    report.momentum += momentum;
    report.angular_momentum += body.x[i].cross(momentum);
  }
}

}  // namespace

std::vector<std::string> probe_columns(const Scene& scene) {
  std::vector<std::string> columns;
  for (const ProbeOptions& probe : scene.probes) {
    if (probe.kind == ProbeKind::force || probe.kind == ProbeKind::displacement)
      for (const char* axis : {"_x", "_y", "_z"}) columns.push_back(probe.name + axis);
    else
      columns.push_back(probe.name);
  }
  return columns;
}

LiquidReport measure_volume(const World& world, const Workspace& work) {
  const Grid& grid = world.grid;
  const Surfaces surfaces(world.solids);
  const bool inflows = has_inflows(surfaces);
  struct Counts {
    double full = 0;   // cells' worth of room well inside the liquid
    double loose = 0;  // particles elsewhere
    double spray = 0;
  };
  const Counts sums = reduce_blocks(
      work.liquid_phi.size(), 4096, Counts{},
      [&](std::size_t begin, std::size_t end) {
        Counts c;
        for (std::size_t i = begin; i < end; ++i) {
          if (work.liquid_phi.data[i] < -0.5 * grid.dx) {
            c.full += work.solids.cut.volume.data[i];
            continue;
          }
          for (std::size_t p = work.cell_start[i]; p < work.cell_start[i + 1]; ++p) {
            if (inflows && inside_inflow(surfaces, work.solids, world.particles.x[p])) continue;
            c.loose += 1;
            c.spray += work.spray[p];
          }
        }
        return c;
      },
      [](const Counts& a, const Counts& b) {
        return Counts{a.full + b.full, a.loose + b.loose, a.spray + b.spray};
      });
  LiquidReport liquid;
  liquid.particles = world.particles.size();
  liquid.spray = std::size_t(sums.spray);
  liquid.volume = grid.cell_volume() * sums.full + particle_volume(grid) * sums.loose;
  liquid.expected_volume = world.ledger.expected_volume;
  return liquid;
}

void measure_loads(const World& world, const Workspace& work, const ProjectionInput& input,
                   const ProjectionReport& projection, StepReport& report) {
  const std::vector<FluidLoad> loads = fluid_loads(input, work.pressure, world.pressure);
  for (std::size_t s = 0; s < loads.size(); ++s) {
    if (input.surfaces[s].inflow) continue;
    const int number = input.surfaces[s].body;
    BodyReport body;
    body.deformable = number >= 0;
    body.name = body.deformable ? world.bodies[number].name : world.solids[s].name;
    body.wet_area = loads[s].wet_area;
    body.fluid_force = loads[s].force;
    body.fluid_torque = loads[s].torque;
    report.bodies.push_back(body);
  }
  const double volume =
      world.gas.present() ? input.grid.cell_volume() * double(projection.active) : world.ledger.expected_volume;
  if (projection.closed_imbalance > 1e-6 * volume)
    report.notes.push_back(
        fmt::format("a pocket of {} without {} is squeezed at {:.2e} m³/s; its volume cannot be kept",
                    world.gas.present() ? "gas" : "liquid", world.gas.present() ? "an open side" : "a free surface",
                    projection.closed_imbalance));
}

void report_bodies(const World& world, const BodySolve& solve, StepReport& report) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    auto body = std::find_if(report.bodies.begin(), report.bodies.end(),
                             [&](const BodyReport& r) { return r.name == world.bodies[b].name; });
    if (body == report.bodies.end()) body = report.bodies.insert(body, BodyReport{});
    body->name = world.bodies[b].name;
    body->deformable = true;
    body->deepest_penetration = solve.penetration[b];
    body->contacts = int(solve.contacts_of[b]);
  }
}

SolveReport solver_report(const World& world, const BodySolve& solve) {
  SolveReport report;
  report.form = "bodies";
  for (const Body& body : world.bodies) report.unknowns += 3 * body.x.size();
  report.iterations = solve.iterations;
  report.setup_s = solve.assembly_s;
  report.solve_s = solve.factor_s;
  return report;
}

void measure(const Scene& scene, const World& world, Workspace& work, StepReport& report) {
  const double mass = scene.liquid.density * particle_volume(world.grid);
  const Sums sums = particle_sums(world.particles);
  const LiquidReport volume = world.particles.size() > 0 ? measure_volume(world, work) : LiquidReport{};
  report.liquid.particles = volume.particles;
  report.liquid.spray = volume.spray;
  report.liquid.volume = volume.volume;
  report.liquid.expected_volume = volume.expected_volume;
  report.liquid.max_speed = sums.fastest;
  report.liquid.kinetic_energy = mass * sums.kinetic;
  report.liquid.momentum = mass * sums.momentum;
  report.liquid.potential_energy =
      -mass * scene.gravity.dot(sums.moment - double(world.particles.size()) * world.grid.origin);
  if (world.gas.present()) measure_gas(scene, world, work, report.gas);
  std::vector<std::vector<int>> pockets;
  for (const Pocket& pocket : world.pockets) pockets.push_back(pocket.cells);
  const std::vector<double> volumes = pocket_volumes(world.grid, work.solids.cut, Surfaces(world), pockets);
  for (std::size_t k = 0; k < pockets.size(); ++k)
    report.liquid.pockets.push_back({volumes[k], world.pockets[k].volume});
  for (BodyReport& body : report.bodies) body.deformable ? measure_body(world, body) : measure_solid(world, body);
  report.probes = probe_values(scene, world, work, report);
  report.step = world.clock.step;
  report.time = world.clock.time;
  report.memory_mb = memory_mb();
}

}  // namespace coracle
