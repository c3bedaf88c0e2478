#include "coracle/step/substep.h"

#include "coracle/step/couple/coupled_projection.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/liquid/extrapolate.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/level_set.h"
#include "coracle/step/liquid/spray.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/liquid/volume.h"
#include "coracle/step/measure.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {
namespace {

constexpr int layers_for_transfer = 3;  // faces without particles that the projection may still ask for

// Faces around the liquid that next step's paths can reach.
int layers_for_paths(double cfl) { return int(std::ceil(cfl)) + 2; }

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

}  // namespace

bool has_liquid(const World& world) { return world.particles.size() > 0 || has_inflows(world.solids); }

Surfaces cutting_surfaces(const World& world) { return has_liquid(world) ? Surfaces(world) : Surfaces(world.solids); }

void update_geometry(const Scene& scene, World& world, Workspace& work) {
  const Grid& grid = world.grid;
  const Surfaces surfaces = cutting_surfaces(world);
  sort_by_cell(grid, world.particles, work.cell_start);
  const bool inflows = has_inflows(surfaces);
  const auto outside_inflows = [&](const Vec3& x) { return !inside_inflow(surfaces, work.solids, x); };
  if (work.room_of != work.solids.updates) {
    measure_room(work.solids.cut.volume, work.room);
    work.room_of = work.solids.updates;
  }
  liquid_share(grid, world.particles, work.cell_start, work.room,
               inflows ? std::function<bool(const Vec3&)>(outside_inflows) : nullptr, work.share);
  level_set(grid, work.share, work.liquid_phi);
  fill_corners(grid, work.solids.cut, work.liquid_phi);
  if (!world.outflows.empty()) world.pockets.clear();  // what is enclosed may be drained
  keep_pockets_full(grid, work.solids.cut, int(std::ceil(scene.time.cfl)) + 1, world.pockets, work.liquid_phi);
  mark_spray(grid, work.liquid_phi, surfaces, work.solids, world.particles, work.spray);
}

namespace {

void advance_clock(Clock& clock, double dt) {
  clock.time += dt;
  clock.last_dt = dt;
  clock.step += 1;
}

void move_bodies(std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) bodies[b].x[i] += dt * motion[b][i];
}

// A body whose energy would become infinite: an element is inverted that its material does not allow to be.
const Body* burst(const std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].rest->options.material != MaterialModel::neo_hookean) continue;
    std::vector<Vec3> x = bodies[b].x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * motion[b][i];
    if (!std::isfinite(elastic_energy(bodies[b], x))) return &bodies[b];
  }
  return nullptr;
}

std::string burst_trouble(const Body& body) {
  return fmt::format(
      "bodies: an element of '{}' is inverted, which neo-Hookean material cannot be; elastic.newton = true keeps it "
      "from that",
      body.name);
}

// A step without liquid: bodies alone fall as their integrator has it.
StepReport dry_step(const Scene& scene, World& world, Workspace& work, double dt, StepReport report) {
  if (!world.bodies.empty()) {
    const BodySolve solve = report.stages("bodies", [&] {
      return solve_bodies({scene.elastic, world, work.solids, dt, dt * scene.gravity}, work.bodies, world.bodies,
                          work.body_motion);
    });
    if (!solve.ok) return failed(report, solve.trouble);
    report_bodies(world, solve, report);
    report.solver = solver_report(world, solve);
  }
  if (const Body* body = burst(world.bodies, work.body_motion, dt)) return failed(report, burst_trouble(*body));
  move_bodies(world.bodies, work.body_motion, dt);
  advance_clock(world.clock, dt);
  report.stages("solids", [&] {
    move_solids(world.solids, world.clock.time);
    update_solid_field(world.grid, world.solids, work.solids);
  });
  report.stages("measure", [&] { measure(scene, world, work, report); });
  return report;
}

}  // namespace

StepReport substep(const Scene& scene, World& world, Workspace& work, double dt) {
  const Grid& grid = world.grid;
  const LiquidOptions& liquid = scene.liquid;
  Particles& particles = world.particles;
  const bool from_particles = liquid.advection != Advection::semi_lagrangian;
  StepReport report;
  StageTimes& stage = report.stages;
  report.dt = dt;

  // Liquid alone begins with half a step of gravity: velocities then belong to the middle of steps, and falling is
  // second order in time. Later steps take all of theirs, so that still water and what bodies carry balance at any dt.
  const bool half = world.clock.step == 0 && world.bodies.empty();
  const Vec3 fall = (half ? 0.5 : 1.0) * dt * scene.gravity;

  set_velocity_over(world.solids, world.clock.time, dt);

  if (!has_liquid(world)) return dry_step(scene, world, work, dt, std::move(report));

  // 1. Velocity u*: from the particles, or as advected; gravity.
  stage("transfer", [&] {
    if (from_particles) {
      particles_to_grid(grid, particles, work.cell_start, work.spray, world.u, work.valid);
      if (liquid.advection == Advection::flip) work.u_before = world.u;
      extrapolate(layers_for_transfer, world.u, work.valid);
    }
    add_gravity(fall, world.u);
  });
  if (!finite(world.u)) return failed(report, "transfer: velocities are not finite");

  // 2. Pressure and the bodies' velocity in one solve, so that the liquid neither leaves nor enters solids and keeps
  //    its volume.                                                                         [ZarifiBatty17 eqs. 13, 16]
  const double expansion = liquid.volume_correction ? expansion_rate(measure_volume(world, work), dt) : 0;
  Surfaces surfaces(world);
  const ProjectionInput input{grid, work.solids.cut, work.liquid_phi, surfaces, liquid.density,
                              dt,   expansion,       scene.solver};
  const CoupledReport solve = stage("projection", [&] {
    return project_with_bodies(input, {scene.elastic, world, work.solids, dt, fall}, work.pressure, work.bodies,
                               {world.u, world.pressure, work.valid, world.bodies, work.body_motion, world.pockets});
  });
  report.solver = solve.projection.solve;
  work.failed = solve.failed;
  if (!solve.ok) return failed(report, solve.trouble);
  if (const Body* body = burst(world.bodies, work.body_motion, dt)) return failed(report, burst_trouble(*body));
  measure_loads(world, work, input, solve.projection, report);
  report_bodies(world, solve.bodies, report);
  for (Surface& s : surfaces)
    if (s.body >= 0) s.v = work.body_motion[s.body];

  // 3. Velocity around the liquid, and back to the particles.
  stage("extrapolate", [&] {
    set_inflow_velocity(grid, surfaces, work.solids, world.u, work.valid);
    const FaceField<std::uint8_t> fixed = work.valid;
    extrapolate(layers_for_paths(scene.time.cfl), world.u, work.valid);
    constrain(grid, surfaces, work.solids, fixed, world.u);
  });
  if (!finite(world.u)) return failed(report, "extrapolate: velocities are not finite");
  // From here on nothing fails, and the particles may change.
  stage("particles", [&] {
    grid_to_particles(grid, liquid, world.u, work.u_before, work.cell_start, work.spray, particles);
    throw_spray(grid, surfaces, work.solids, work.spray, fall, particles);
  });

  // 4. Move: particles along u, spray along its own velocity, solids and bodies. Liquid comes and goes.
  const std::size_t free_before = count_outside_inflows(surfaces, work.solids, particles);
  stage("advect", [&] {
    advect_particles(grid, {world.u, work.liquid_phi, work.solids.phi, work.share}, work.cell_start, work.spray, dt,
                     liquid, particles);
    if (!from_particles) advect_velocity(grid, dt, world.u);
    drain(world.outflows, particles);
  });
  move_bodies(world.bodies, work.body_motion, dt);
  advance_clock(world.clock, dt);
  stage("solids", [&] {
    const std::vector<bool> present = work.solids.present;
    move_solids(world.solids, world.clock.time);
    surfaces = Surfaces(world);
    update_solid_field(grid, surfaces, work.solids);
    emit_particles(scene, world, work.solids, present, dt, particles);
    push_out(grid, surfaces, work.solids, dt, particles);
  });

  const std::size_t free_now = count_outside_inflows(surfaces, work.solids, particles);
  world.ledger.expected_volume += particle_volume(grid) * (double(free_now) - double(free_before));

  // 5. Where the liquid is now.
  stage("surface", [&] { update_geometry(scene, world, work); });
  stage("measure", [&] { measure(scene, world, work, report); });
  return report;
}

}  // namespace coracle
