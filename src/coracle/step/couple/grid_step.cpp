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

// Share of the fluid's volume that closed pockets may lose per second without a note.
constexpr double unnoticed_imbalance = 1e-6;

// Bodies that move with their velocity after the solve have that of the middle of the step, as the fluid has.
bool to_middle(const Scene& scene) { return scene.elastic.integrator == Integrator::backward_euler; }
double body_kick(const Scene& scene, const World& world, double dt) {
  return to_middle(scene) ? 0.5 * (world.clock.last_dt + dt) : dt;
}

// Force times Δt is the momentum that the fluid gives.
void report_loads(const World& world, const std::vector<FluidLoad>& loads, const ProjectionInput& input, double share,
                  StepReport& report) {
  for (std::size_t s = 0; s < loads.size(); ++s) {
    if (input.surfaces[s].inflow) continue;
    const int number = input.surfaces[s].body;
    BodyReport body;
    body.is_body = number >= 0;
    body.name = body.is_body ? world.bodies[number].name : world.solids[s].name;
    body.wet_area = loads[s].wet_area;
    body.fluid_force = share * loads[s].force;
    body.fluid_torque = share * loads[s].torque;
    report.bodies.push_back(body);
  }
}

}  // namespace

int layers_for_paths(double cfl) { return int(std::ceil(cfl)) + 2; }

bool solve_pressure(const Scene& scene, World& world, GridFlow& flow, StepWork& step, GridWork& work,
                    const ProjectionInput& input, FluidSystem& fluid, Stages& stage, StepReport& report,
                    GridSolve& found) {
  return stage("projection", [&]() -> std::string {
    const double dt = input.motion_dt();
    const double kick_dt = body_kick(scene, world, dt);
    const BodyStep body_step{.options = scene.elastic,
                             .contact = scene.contact,
                             .world = world,
                             .trees = trees_of(work.solids),
                             .dt = dt,
                             .gravity_dv = kick_dt * scene.gravity,
                             .kick_dt = kick_dt};
    CoupledReport solve =
        project_with_bodies(input, body_step, fluid, step.bodies, {flow.pockets, world.bodies, step.body_motion});
    report.solver = solve.projection.solve;
    found.projection = solve.projection;
    work.failed = solve.failed;
    found.bodies = std::move(solve.bodies);
    return solve.ok ? "" : solve.trouble;
  });
}

void accept_solve(const Scene& scene, const ProjectionInput& input, const Kick& kick, const GridSolve& found,
                  World& world, const StepWork& step, const FluidSystem& fluid, Surfaces& surfaces,
                  StepReport& report) {
  const double share = kick.length / input.motion_dt();  // of the step, over which the fluid feels the pressure
  const double to_pressure = input.density * input.grid.dx / input.dt;
  const std::vector<FluidLoad> loads = fluid_loads(input, fluid.active(), fluid.q(), to_pressure);
  const double more = kick.length - body_kick(scene, world, input.motion_dt());
  for (std::size_t s = 0; s < loads.size() && to_middle(scene); ++s)
    if (const int b = input.surfaces[s].body; b >= 0) add_impulse(more * loads[s].force, world.bodies[b]);
  report_loads(world, loads, input, share, report);
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

bool extrapolate_velocity(const Scene& scene, double least_open, GridFlow& flow, GridWork& work,
                          const Surfaces& surfaces, Stages& stage) {
  return stage("extrapolate", [&] {
    const int layers = layers_for_paths(scene.time.cfl);
    const auto add_velocity = [&] {  // u_kicked holds by how much it is ahead of u
      for (int a = 0; a < 3; ++a)
        for_each_index(flow.u[a].size(), [&](std::size_t i) { work.u_kicked[a].data[i] += flow.u[a].data[i]; });
    };
    if (surfaces.empty()) {  // the same faces count for all three
      for (int a = 0; a < 3; ++a)
        for_each_index(work.valid[a].size(), [&](std::size_t i) {
          if (work.solids.cut.open[a].data[i] < least_open) work.valid[a].data[i] = 0;
        });
      add_velocity();
      extrapolate(std::max(layers, layers_for_transfer), {&work.u_kicked, &work.drift, &flow.u}, work.valid);
      return not_finite("extrapolate", work.drift);
    }
    FaceField<std::uint8_t> well_open = work.valid;
    for (int a = 0; a < 3; ++a)
      for_each_index(well_open[a].size(), [&](std::size_t i) {
        const double open = work.solids.cut.open[a].data[i];
        if (open < well_open_share) well_open[a].data[i] = 0;
        if (open < least_open) work.valid[a].data[i] = 0;
      });
    extrapolate(layers_for_transfer, work.u_kicked, well_open);
    for (FaceField<double>* u : {&work.drift, &flow.u})
      set_inflow_velocity(flow.grid, surfaces, work.solids, *u, work.valid);
    const FaceField<std::uint8_t> fixed = work.valid;
    extrapolate(layers, {&work.drift, &flow.u}, work.valid);
    constrain(flow.grid, surfaces, work.solids, fixed, work.drift);
    add_velocity();
    return not_finite("extrapolate", work.drift);
  });
}

void add_impulse(const Vec3& impulse, Body& body) {
  if (!body.rest->holds.empty()) return;
  double mass = 0;
  for (const double m : body.rest->mass) mass += m;
  for (Vec3& v : body.v) v += impulse / mass;
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
  const Surfaces surfaces(world);
  for (const Patch& p : work.solids.cut.patches) {
    const int b = surfaces[p.surface].body;
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
