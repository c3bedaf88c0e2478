#include "coracle/step/couple/grid_step.h"

#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/inflows.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {
namespace {

// Faces around the fluid that paths can reach in a step.
int layers_for_paths(double cfl) { return int(std::ceil(cfl)) + 2; }

// Share of the fluid's volume that closed pockets may lose per second without a note.
constexpr double unnoticed_imbalance = 1e-6;

// Force times Δt is the momentum that the fluid gives.
void report_loads(const World& world, const GridFlow& flow, const GridWork& work, const ProjectionInput& input,
                  double share, StepReport& report) {
  const std::vector<FluidLoad> loads = fluid_loads(input, work.pressure, flow.pressure);
  for (std::size_t s = 0; s < loads.size(); ++s) {
    if (input.surfaces[s].inflow) continue;
    const int number = input.surfaces[s].body;
    BodyReport body;
    body.deformable = number >= 0;
    body.name = body.deformable ? world.bodies[number].name : world.solids[s].name;
    body.wet_area = loads[s].wet_area;
    body.fluid_force = share * loads[s].force;
    body.fluid_torque = share * loads[s].torque;
    report.bodies.push_back(body);
  }
}

}  // namespace

std::vector<NodeField> velocities(const std::vector<Body>& bodies) {
  std::vector<NodeField> v;
  for (const Body& body : bodies) v.push_back(body.v);
  return v;
}

bool solve_pressure(const Scene& scene, World& world, GridFlow& flow, StepWork& step, GridWork& work,
                    const ProjectionInput& input, Stages& stage, StepReport& report, GridSolve& found) {
  return stage("projection", [&]() -> std::string {
    const double dt = input.motion_dt();
    const BodyStep body_step{.options = scene.elastic,
                             .world = world,
                             .trees = trees_of(work.solids),
                             .dt = dt,
                             .gravity_dv = dt * scene.gravity};
    CoupledReport solve = project_with_bodies(input, body_step, work.pressure, step.bodies,
                                              {flow, work.valid, world.bodies, step.body_motion});
    report.solver = solve.projection.solve;
    found.projection = solve.projection;
    work.failed = solve.failed;
    found.bodies = std::move(solve.bodies);
    return solve.ok ? inversion_trouble(world.bodies, step.body_motion, dt) : solve.trouble;
  });
}

void accept_solve(const ProjectionInput& input, const Kick& kick, const std::vector<NodeField>& v_before,
                  const GridSolve& found, World& world, const GridFlow& flow, const StepWork& step,
                  const GridWork& work, Surfaces& surfaces, StepReport& report) {
  const double share = kick.length / input.motion_dt();  // of the step, over which the fluid feels the pressure
  carry_bodies(v_before, share - 1, world.bodies);
  report_loads(world, flow, work, input, share, report);
  report_bodies(world, found.bodies, report);
  for (Surface& s : surfaces)
    if (s.body >= 0) s.v = step.body_motion[s.body];
}

void note_squeezed_pocket(const ProjectionReport& projection, double volume, const char* fluid, const char* opening,
                          StepReport& report) {
  if (projection.closed_imbalance > unnoticed_imbalance * volume)
    report.notes.push_back(
        fmt::format("a pocket of {} without {} is squeezed at {:.2e} m³/s; its volume cannot be kept", fluid, opening,
                    projection.closed_imbalance));
}

bool extrapolate_velocity(const Scene& scene, GridFlow& flow, GridWork& work, const Surfaces& surfaces, Stages& stage) {
  return stage("extrapolate", [&] {
    set_inflow_velocity(flow.grid, surfaces, work.solids, flow.u, work.valid);
    set_inflow_velocity(flow.grid, surfaces, work.solids, work.u_kicked, work.valid);
    FaceField<std::uint8_t> fixed = work.valid;
    extrapolate(layers_for_paths(scene.time.cfl), flow.u, work.valid);
    constrain(flow.grid, surfaces, work.solids, fixed, flow.u);
    extrapolate(layers_for_transfer, work.u_kicked, fixed);
    return not_finite("extrapolate", flow.u);
  });
}

void carry_bodies(const std::vector<NodeField>& v_before, double share, std::vector<Body>& bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body& body = bodies[b];
    if (!body.rest->holds.empty()) continue;  // what holds it takes its momentum
    Vec3 impulse = Vec3::Zero();
    double mass = 0;
    for (std::size_t i = 0; i < body.x.size(); ++i) {
      impulse += body.rest->mass[i] * (body.v[i] - v_before[b][i]);
      mass += body.rest->mass[i];
    }
    const Vec3 more = share / mass * impulse;
    for (Vec3& v : body.v) v += more;
  }
}

std::string not_finite(const char* stage, const FaceField<double>& u) {
  for (const auto& f : u)
    if (!std::isfinite(sum_blocks(f.size(), [&](std::size_t begin, std::size_t end) {
          double s = 0;
          for (std::size_t i = begin; i < end; ++i) s += f.data[i];
          return s;
        })))
      return fmt::format("{}: velocities are not finite", stage);
  return "";
}

double pressure_at(const GridFlow& flow, const PressureSystem& system, const Vec3& x) {
  const Corner8 c(Vec3(flow.grid.to_cells(x).array() - 0.5), flow.grid.n);
  double sum = 0, weight = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3i at = c.base;
    double w = 1;
    for (int a = 0; a < 3; ++a) {
      const int up = corner >> a & 1;
      at[a] += up * c.upper[a];
      w *= up ? c.frac[a] : 1 - c.frac[a];
    }
    if (!system.active[at]) continue;
    sum += w * flow.pressure[at];
    weight += w;
  }
  return weight > 0 ? sum / weight : 0;
}

std::vector<PocketReport> report_pockets(const World& world, const GridFlow& flow, const GridWork& work) {
  CellSets cells;
  for (const Pocket& pocket : flow.pockets) cells.push_back(pocket.cells);
  const std::vector<double> volumes = pocket_volumes(flow.grid, work.solids.cut, Surfaces(world), cells);
  std::vector<PocketReport> pockets;
  for (std::size_t k = 0; k < cells.size(); ++k)
    pockets.push_back({.volume = volumes[k], .expected_volume = flow.pockets[k].volume});
  return pockets;
}

std::vector<std::vector<double>> skin_pressure(const World& world, const GridFlow& flow, const GridWork& work) {
  std::vector<std::vector<double>> pressure, area;
  for (const Body& body : world.bodies) pressure.emplace_back(body.x.size(), 0), area.emplace_back(body.x.size(), 0);
  for (const Patch& p : work.solids.cut.patches) {
    const int b = p.surface - int(world.solids.size());
    if (b < 0) continue;
    for (int i = 0; i < 3; ++i) {
      const int node = world.bodies[b].rest->skin.tris[p.tri][i];
      const double weight = p.bary[i] * p.area.norm();
      area[b][node] += weight;
      pressure[b][node] += weight * flow.pressure.data[p.cell];
    }
  }
  for (std::size_t b = 0; b < pressure.size(); ++b)
    for (std::size_t n = 0; n < area[b].size(); ++n) pressure[b][n] = area[b][n] > 0 ? pressure[b][n] / area[b][n] : 0;
  return pressure;
}

}  // namespace coracle
