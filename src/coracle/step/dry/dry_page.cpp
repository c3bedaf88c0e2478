#include "coracle/step/pages.h"

#include "coracle/base/parallel.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/measure.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {

StepReport substep(const Scene& scene, World& world, Workspace& work, double dt) {
  if (world.gas.present()) return gas_step(scene, world, work, dt);
  if (has_liquid(world)) return liquid_step(scene, world, work, dt);
  return dry_step(scene, world, work, dt);
}

bool has_liquid(const World& world) {
  return !world.gas.present() && (world.particles.size() > 0 || has_inflows(world.solids));
}

Surfaces cutting_surfaces(const World& world) {
  return has_liquid(world) || world.gas.present() ? Surfaces(world) : Surfaces(world.solids);
}

bool finite(const FaceField<double>& u) {
  for (const auto& f : u)
    if (!std::isfinite(sum_blocks(f.size(), [&](std::size_t begin, std::size_t end) {
          double s = 0;
          for (std::size_t i = begin; i < end; ++i) s += f.data[i];
          return s;
        })))
      return false;
  return true;
}

StepReport failed(StepReport report, const std::string& trouble) {
  report.ok = false;
  report.trouble = trouble;
  return report;
}

void advance_clock(Clock& clock, double dt) {
  clock.time += dt;
  clock.last_dt = dt;
  clock.step += 1;
}

void move_bodies(std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) bodies[b].x[i] += dt * motion[b][i];
}

std::string burst_trouble(const std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].rest->options.material != MaterialModel::neo_hookean) continue;
    std::vector<Vec3> x = bodies[b].x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * motion[b][i];
    if (!std::isfinite(elastic_energy(bodies[b], x)))  // it would be infinite
      return fmt::format(
          "bodies: an element of '{}' is inverted, which neo-Hookean material cannot be; elastic.newton = true keeps "
          "it from that",
          bodies[b].name);
  }
  return "";
}

// Faces around the fluid that paths can reach in a step.
static int layers_for_paths(double cfl) { return int(std::ceil(cfl)) + 2; }

void solve_pressure(const Scene& scene, World& world, Workspace& work, const ProjectionInput& input, const Vec3& fall,
                    Surfaces& surfaces, StepReport& report, ProjectionReport& projection) {
  const CoupledReport solve = report.stages("projection", [&] {
    return project_with_bodies(input, {scene.elastic, world, work.solids, input.dt, fall}, work.pressure, work.bodies,
                               {world.u, world.pressure, work.valid, world.bodies, work.body_motion, world.pockets});
  });
  report.solver = solve.projection.solve;
  projection = solve.projection;
  work.failed = solve.failed;
  const std::string why = solve.ok ? burst_trouble(world.bodies, work.body_motion, input.dt) : solve.trouble;
  if (!why.empty()) {
    report = failed(std::move(report), why);
    return;
  }
  measure_loads(world, work, input, solve.projection, report);
  report_bodies(world, solve.bodies, report);
  for (Surface& s : surfaces)
    if (s.body >= 0) s.v = work.body_motion[s.body];
}

void spread_velocity(const Scene& scene, World& world, Workspace& work, const Surfaces& surfaces, StepReport& report) {
  report.stages("extrapolate", [&] {
    set_inflow_velocity(world.grid, surfaces, work.solids, world.u, work.valid);
    const FaceField<std::uint8_t> fixed = work.valid;
    extrapolate(layers_for_paths(scene.time.cfl), world.u, work.valid);
    constrain(world.grid, surfaces, work.solids, fixed, world.u);
  });
  if (!finite(world.u)) report = failed(std::move(report), "extrapolate: velocities are not finite");
}

// Bodies alone fall as their integrator has it.
StepReport dry_step(const Scene& scene, World& world, Workspace& work, double dt) {
  StepReport report;
  report.dt = dt;
  set_velocity_over(world.solids, world.clock.time, dt);
  if (!world.bodies.empty()) {
    const BodySolve solve = report.stages("bodies", [&] {
      return solve_bodies({scene.elastic, world, work.solids, dt, dt * scene.gravity}, work.bodies, world.bodies,
                          work.body_motion);
    });
    if (!solve.ok) return failed(report, solve.trouble);
    report_bodies(world, solve, report);
    report.solver = solver_report(world, solve);
  }
  if (const std::string why = burst_trouble(world.bodies, work.body_motion, dt); !why.empty())
    return failed(report, why);
  move_bodies(world.bodies, work.body_motion, dt);
  advance_clock(world.clock, dt);
  report.stages("solids", [&] {
    move_solids(world.solids, world.clock.time);
    update_solid_field(world.grid, world.solids, work.solids);
  });
  report.stages("measure", [&] { measure(scene, world, work, report); });
  return report;
}

}  // namespace coracle
