#include "coracle/step/grid/fluid_system.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/timer.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {

void HomeFluid::assemble(const ProjectionInput& in) {
  in_ = &in;
  assemble_pressure(in, u_, p_, system_);
}

double HomeFluid::fastest() {
  double speed = 0;
  for (const auto& f : u_)
    speed = std::max(speed, largest(f.size(), [&](std::size_t i) { return std::abs(f.data[i]); }));
  return speed;
}

void HomeFluid::add_source(const CellValues& source) {
  for (std::size_t i = 0; i < source.cell.size(); ++i) system_.rhs[source.cell[i]] += source.value[i];
}

std::vector<double> HomeFluid::sources(const CellSets& sets) {
  std::vector<double> sums;
  for (const auto& cells : sets) {
    double sum = 0;
    for (const int i : cells) sum += system_.rhs[i];
    sums.push_back(sum);
  }
  return sums;
}

SolveReport HomeFluid::solve(const PressureTask& task, const PressureOptions& options) {
  const CellValues& flux = task.flux;
  Vector& less = system_.scratch;
  if (!flux.cell.empty()) copy(system_.rhs, less);
  for (std::size_t i = 0; i < flux.cell.size(); ++i) less[flux.cell[i]] -= flux.value[i];
  copy(system_.q, system_.next);
  return system_.solver->solve({.matrix = system_.matrix,
                                .rhs = flux.cell.empty() ? system_.rhs : less,
                                .singular = task.singular,
                                .deflated = task.deflated,
                                .wet = task.wet},
                               options, system_.next);
}

std::array<double, 3> HomeFluid::products() {
  Vector lq, lnext;
  multiply(system_.matrix, system_.q, lq);
  multiply(system_.matrix, system_.next, lnext);
  return {dot(system_.q, lq), dot(system_.next, lq), dot(system_.next, lnext)};
}

void HomeFluid::accept(double share) {
  Vector &q = system_.q, &next = system_.next;
  if (share == 1)
    q.swap(next);
  else
    for_each_index(q.size(), [&](std::size_t i) { q[i] += share * (next[i] - q[i]); });
}

FluidSystem::Remaining HomeFluid::remaining(const CellValues& flux, const CellSets& sets) {
  Vector& r = system_.scratch;
  for_each_index(r.size(), [&](std::size_t i) { r[i] = 0; });  // products are set where there are unknowns
  multiply(system_.matrix, system_.q, r);
  for (std::size_t i = 0; i < flux.cell.size(); ++i) r[flux.cell[i]] += flux.value[i];
  for_each_index(r.size(), [&](std::size_t i) { r[i] = system_.rhs[i] - r[i]; });
  Remaining found;
  for (const auto& cells : sets) {
    double sum = 0;
    for (const int i : cells) sum += r[i];
    found.sums.push_back(sum);
  }
  remove_means(r, sets);
  found.largest = largest(r.size(), [&](std::size_t i) { return std::abs(r[i]); });
  return found;
}

void HomeFluid::apply() { apply_pressure(*in_, system_, u_, p_, valid_); }

double flux_round_off(const ProjectionInput& in, double speed) {
  return 2e-15 * speed * std::sqrt(double(in.cut.patches.size() + 1));
}

double largest_inflow(const ProjectionInput& in, const std::vector<double>& sums) {
  double worst = 0;
  for (const double sum : sums) worst = std::max(worst, std::abs(sum) * in.grid.dx * in.grid.dx);
  return worst;
}

ProjectionReport project(const ProjectionInput& in, FluidSystem& fluid) {
  const auto start = std::chrono::steady_clock::now();
  ProjectionReport report;
  fluid.assemble(in);
  report.closed_imbalance = largest_inflow(in, fluid.sources(fluid.closed()));
  const double floor = flux_round_off(in, fluid.fastest());
  const double assembly_s = seconds_since(start);
  const CellValues none;
  report.solve =
      fluid.solve({.flux = none, .singular = fluid.closed(), .deflated = {}}, pressure_options(in.solver, floor));
  fluid.accept(1);
  report.solve.form = "poisson";
  report.solve.unknowns = fluid.unknowns();
  report.solve.nonzeros = fluid.nonzeros();
  report.solve.setup_s += assembly_s;
  report.active = report.solve.unknowns;
  report.max_divergence = fluid.remaining(none, {}).largest / in.grid.dx;
  fluid.apply();
  return report;
}

ProjectionReport project(const ProjectionInput& in, PressureSystem& system, FaceField<double>& u, Array3<double>& p,
                         FaceField<std::uint8_t>& valid) {
  HomeFluid fluid(u, p, valid, system);
  return project(in, fluid);
}

std::vector<FluidLoad> fluid_loads(const ProjectionInput& in, const Array3<std::uint8_t>& active, const Vector& q,
                                   double scale) {
  std::vector<FluidLoad> loads(in.surfaces.size());
  const double face = in.grid.dx * in.grid.dx;
  const bool on_patches = in.cut.pressure_acts_on == PressureActsOn::patches;
  for (const PressureSample& sample : in.cut.samples) {
    double pressure = 0, wet = 0;
    for_pressing(sample, active, [&](int cell, double share) {
      pressure += share * q[cell];
      wet += share;
    });
    FluidLoad& load = loads[sample.surface];
    const Surface& surface = in.surfaces[sample.surface];
    const Vec3 force = scale * pressure * face * sample.area;
    load.force += force;
    load.torque += surface.at(surface.x, sample.tri, sample.bary).cross(force);
    load.wet_area += wet * sample.area.norm() * face;
  }
  for (const Patch& patch : in.cut.patches) {
    if (!on_patches || !active.data[patch.cell]) continue;
    FluidLoad& load = loads[patch.surface];
    const Vec3 force = scale * q[patch.cell] * face * patch.area;
    load.force += force;
    load.torque += patch_center(patch, in.surfaces).cross(force);
    load.wet_area += patch.area.norm() * face;
  }
  return loads;
}

std::vector<FluidLoad> fluid_loads(const ProjectionInput& in, const PressureSystem& system, const Array3<double>& p) {
  return fluid_loads(in, system.active, p.data, 1);
}

}  // namespace coracle
