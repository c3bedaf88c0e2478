// One step with gas.
//
// The cycle is that of liquid (substep.h): forces, one solve for pressure and bodies, then everything moves along the
// velocity that it found. Gas has no surface: every cell with an open face is active.
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/gas/carry.h"
#include "coracle/step/gas/forces.h"
#include "coracle/step/gas/smoke.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/measure.h"
#include "coracle/step/pages.h"

#include <algorithm>

namespace coracle {
namespace {

// Faces less open than this take the velocity of those around them. What flows through a sliver of a face can be fast
// without being much; carried on as if the whole face had it, it would be energy from nowhere.
constexpr double well_open = 0.5;

void leave_out_slivers(const Boundary& cut, FaceField<std::uint8_t>& valid) {
  for (int a = 0; a < 3; ++a)
    for_each_index(valid[a].size(), [&](std::size_t i) {
      if (cut.open[a].data[i] < well_open) valid[a].data[i] = 0;
    });
}

constexpr double most_rescaled = 0.02;  // of the smoke in a step, where it is to be conserved

// The densest smoke that anything gives off.
double densest(const Scene& scene) {
  double most = 0;
  for (const GasRegionOptions& region : scene.gas.regions) most = std::max(most, region.smoke);
  for (const JetOptions& jet : scene.jets) most = std::max(most, jet.smoke * (1 + jet.noise));
  return most;
}

}  // namespace

void prepare_gas(const Scene& scene, World& world, Workspace& work) {
  work.liquid_phi.assign(world.grid.n, -world.grid.dx);
  find_walls(Surfaces(world), work.solids, work.wall_phi);
  mark_sources(world, work.near_sources);
  if (world.clock.step > 0) return;
  // Where a jet blows from the start there is smoke from the start; velocity is known inside solids as well.
  feed_smoke(scene, work.solids, 0, world);
  spread_into_solids(work.wall_phi, world.gas);
  world.gas.expected_smoke = total_smoke(world.grid, work.solids.cut.volume, world.gas);
}

std::array<bool, 6> open_sides(const Scene& scene) {
  std::array<bool, 6> open = {};
  for (const Side side : scene.domain.open) open[int(side)] = true;
  return open;
}

StepReport gas_step(const Scene& scene, World& world, Workspace& work, double dt) {
  const Grid& grid = world.grid;
  StepReport report;
  StageTimes& stage = report.stages;
  report.dt = dt;

  set_velocity_over(world.solids, world.clock.time, dt);
  blow_jets(world, dt);

  // 1. Velocity u*: as the last step carried it; buoyancy, confinement.
  stage("forces", [&] {
    for (int a = 0; a < 3; ++a) copy(world.gas.carried[a].data, world.u[a].data);
    add_buoyancy(grid, scene.gas, scene.gravity, world.gas, dt, world.u);
    confine_vortices(grid, scene.gas.confinement, work.solids.cut.volume, dt, world.u);
  });
  if (!finite(world.u)) return failed(report, "forces: velocities are not finite");

  // 2. Pressure and the bodies' velocity in one solve.
  Surfaces surfaces(world);
  const ProjectionInput input{grid, work.solids.cut, work.liquid_phi,  surfaces, scene.gas.density, dt,
                              0,    scene.solver,    open_sides(scene)};
  ProjectionReport projection;
  solve_pressure(scene, world, work, input, dt * scene.gravity, surfaces, report, projection);
  if (!report.ok) return report;
  report.gas.cells = projection.active;
  report.gas.max_divergence = projection.max_divergence;
  report.gas.outflow = gas_outflow(input, world.u);
  double gained = smoke_inflow(input, world);

  // 3. Velocity inside solids, where paths and newly open cells ask for it.
  leave_out_slivers(work.solids.cut, work.valid);
  spread_velocity(scene, world, work, surfaces, report);
  if (!report.ok) return report;

  // 4. Carry smoke, heat and velocity along u.
  stage("carry", [&] {
    const Carrier carrier{grid, world.u, work.wall_phi, dt, scene.gas.advection, input.open, &work.near_sources};
    carry_scalar(carrier, world.gas.smoke);
    carry_scalar(carrier, world.gas.temperature);
    carry_velocity(carrier, world.gas.carried);
  });

  // 5. Move bodies and solids; smoke comes and goes.
  move_bodies(world.bodies, work.body_motion, dt);
  advance_clock(world.clock, dt);
  stage("solids", [&] {
    move_solids(world.solids, world.clock.time);
    surfaces = Surfaces(world);
    // A mouth that opens takes the smoke in its place away; one that goes leaves its own.
    bool other_mouths = false;
    for (std::size_t s = 0; s < surfaces.size(); ++s) other_mouths |= surfaces[s].present != work.solids.present[s];
    if (other_mouths) gained -= total_smoke(grid, work.solids.cut.volume, world.gas);
    update_solid_field(grid, surfaces, work.solids);
    if (other_mouths) gained += total_smoke(grid, work.solids.cut.volume, world.gas);
    find_walls(surfaces, work.solids, work.wall_phi);
  });
  stage("smoke", [&] {
    gained += feed_smoke(scene, work.solids, dt, world);
    spread_into_solids(work.wall_phi, world.gas);
    world.gas.expected_smoke = std::max(0.0, world.gas.expected_smoke + gained);
    if (scene.gas.conserve) settle_account(grid, work.solids.cut.volume, densest(scene), most_rescaled, world.gas);
  });
  stage("measure", [&] { measure(scene, world, work, report); });
  return report;
}

}  // namespace coracle
