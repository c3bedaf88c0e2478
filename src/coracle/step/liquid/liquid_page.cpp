// One step with liquid.
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/level_set.h"
#include "coracle/step/liquid/spray.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/liquid/volume.h"
#include "coracle/step/measure.h"
#include "coracle/step/pages.h"

#include <cmath>

namespace coracle {
namespace {

constexpr int layers_for_transfer = 3;  // faces without particles that the projection may still ask for

}  // namespace

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

StepReport liquid_step(const Scene& scene, World& world, Workspace& work, double dt) {
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
  ProjectionReport projection;
  solve_pressure(scene, world, work, input, fall, surfaces, report, projection);
  if (!report.ok) return report;
  report.liquid.cells = projection.active;
  report.liquid.max_divergence = projection.max_divergence;

  // 3. Velocity around the liquid, and back to the particles.
  spread_velocity(scene, world, work, surfaces, report);
  if (!report.ok) return report;
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
