// One step with gas.
//
// The cycle is that of liquid (liquid_page.cpp): forces, one solve for pressure and bodies, then everything moves with
// the velocity found. Gas has no surface: every cell with an open face is active.
#include "coracle/step/gas/gas_page.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/couple/grid_step.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/step/gas/carry.h"
#include "coracle/step/gas/forces.h"
#include "coracle/step/gas/measure.h"
#include "coracle/step/gas/smoke.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/world/build.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double least_open = 0.5;      // of a face
constexpr double most_rescaled = 0.02;  // of the smoke, per step

// The densest smoke of all sources.
double densest(const Scene& scene) {
  double most = 0;
  for (const GasRegionOptions& region : scene.gas.regions) most = std::max(most, region.smoke);
  for (const JetOptions& jet : scene.jets) most = std::max(most, jet.smoke * (1 + jet.noise));
  return most;
}

// Smoke, heat and velocity of the regions; zero elsewhere.
void fill(const Scene& scene, Gas& gas) {
  const Grid& grid = gas.grid;
  gas.smoke.assign(grid.n, 0);
  gas.temperature.assign(grid.n, 0);
  // From the last region to the first: where regions overlap, the first counts.
  for (auto it = scene.gas.regions.rbegin(); it != scene.gas.regions.rend(); ++it) {
    const GasRegionOptions& o = *it;
    const Region region(o.shape);
    for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
      if (!region.contains(grid.center(c))) return;
      gas.smoke.data[i] = float(o.smoke);
      gas.temperature.data[i] = float(o.temperature);
    });
    for (int a = 0; a < 3; ++a)
      for_cells(grid.faces(a), [&](const Vec3i& f, std::size_t i) {
        if (region.contains(grid.face_center(a, f))) gas.u[a].data[i] = o.velocity[a];
      });
  }
  gas.carried = gas.u;
}

std::array<bool, 6> open_sides(const Scene& scene) {
  std::array<bool, 6> open = {};
  for (const Side side : scene.domain.open) open[int(side)] = true;
  return open;
}

}  // namespace

void start(const Scene& scene, World& world, Gas& gas, StepWork& step, GasWork& work) {
  fill(scene, gas);
  derive(scene, world, gas, step, work);
  // A jet that blows from the start has smoke from the start; smoke and heat are extrapolated into solids.
  feed_smoke(scene.gas, work.jets, work.solids, world.clock.time, 0, gas);
  extrapolate_into_solids(work.wall_phi, gas);
  gas.expected_smoke = total_smoke(work.solids.cut.volume, gas);
}

void derive(const Scene& scene, World& world, Gas& gas, StepWork&, GasWork& work) {
  const Surfaces surfaces(world);
  update_solid_field(gas.grid, surfaces, boundary_maker(scene.method), work.solids);
  if (work.jets.empty()) work.jets = make_jets(scene);
  work.fluid_phi.assign(gas.grid.n, -gas.grid.dx);
  find_walls(surfaces, work.solids, work.wall_phi);
  mark_sources(gas.grid, work.jets, work.near_sources);
}

// Nothing crosses more than `cfl` cells.
StableStep stable_step(const Scene& scene, const World& world, const Gas& gas, const GasWork& work) {
  double speed = fastest_solid(scene, world);
  for (const Jet& jet : work.jets) speed = std::max(speed, fastest(jet, world.clock.time));
  for (const Array3<double>& u : gas.carried)
    speed = std::max(speed, largest(u.size(), [&](std::size_t i) { return std::abs(u.data[i]); }));
  double dt = std::min(scene.time.max_dt, bodies_dt(scene, world));
  if (speed > 0) dt = std::min(dt, scene.time.cfl * gas.grid.dx / speed);
  return {shorten_first(scene, world, dt), speed};
}

StepReport step(const Scene& scene, World& world, Gas& gas, StepWork& step, GasWork& work, double dt) {
  const Grid& grid = gas.grid;
  StepReport report;
  Stages stage(report, step.fail_after);
  GasReport& measured = report.fluid.emplace<GasReport>();
  report.dt = dt;

  // 1. Velocity at `time` − lag, as the last step advected it.
  const bool forced = stage("forces", [&] {
    set_velocity_over(world.solids, world.clock.time, dt);
    blow_jets(work.jets, world.clock.time, dt, world.solids);
    if (work.drift[0].n != gas.u[0].n) work.drift = gas.u;
    std::swap(gas.u, work.drift);
    work.u_kicked = gas.carried;
    return not_finite("forces", work.u_kicked);
  });
  if (!forced) return report;

  // 2. Buoyancy and confinement; then pressure and the bodies' velocity in one solve.
  Surfaces surfaces(world);
  Kick kick = choose_kick(gas, world.clock, dt);
  for (int a = 0; a < 3; ++a) copy(gas.carried[a].data, gas.u[a].data);
  add_buoyancy(grid, scene.gas, scene.gravity, gas, kick.tau, gas.u);
  confine_vortices(grid, scene.gas.confinement, work.solids.cut.volume, kick.tau, gas.u);
  aim_drift(kick, work.drift, gas.u);
  const ProjectionInput input{.grid = grid,
                              .cut = work.solids.cut,
                              .fluid_phi = work.fluid_phi,
                              .surfaces = surfaces,
                              .density = scene.gas.density,
                              .dt = kick.solve_dt(),
                              .expansion = 0,
                              .solver = scene.solver,
                              .open = open_sides(scene),
                              .step = dt};
  GridSolve found;
  HomeFluid fluid(gas.u, gas.pressure, work.valid, work.pressure);
  if (!solve_pressure(scene, world, gas, step, work, input, fluid, stage, report, found)) return report;
  apply_kick(input, scene.gravity.norm(), work.valid, kick, gas, work.drift, work.u_kicked);
  accept_solve(scene, input, kick, found, world, step, fluid, surfaces, report);
  const ProjectionReport& projection = found.projection;
  note_squeezed_pocket(projection, grid.cell_volume() * double(projection.active), "gas", "an open side", report);
  measured.cells = projection.active;
  measured.max_divergence = projection.max_divergence;
  measured.outflow = gas_outflow(input, work.drift);

  // 3. Velocity inside solids, where paths and newly open cells need it.
  if (!extrapolate_velocity(scene, least_open, gas, work, surfaces, stage)) return report;

  // 4. Advect smoke, heat and velocity along the velocity of the middle of the step.
  double gained = smoke_inflow(input, work.jets, work.drift, gas);  // m³
  const bool carried = stage("carry", [&] {
    const Carrier carrier{.grid = grid,
                          .u = work.drift,
                          .wall_phi = work.wall_phi,
                          .dt = dt,
                          .how = scene.gas.advection,
                          .open = input.open,
                          .plain = &work.near_sources};
    carry_scalar(carrier, gas.smoke);
    carry_scalar(carrier, gas.temperature);
    carry_velocity(carrier, work.u_kicked, gas.carried);
  });
  if (!carried) return report;

  // 5. Move bodies and solids; add and remove smoke.
  const bool moved = stage("solids", [&] {
    move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    move_solids(world.solids, world.clock.time);
    surfaces = Surfaces(world);
    // A mouth that opens removes the smoke in its place; one that closes leaves its own.
    bool other_mouths = false;
    for (std::size_t s = 0; s < surfaces.size(); ++s) other_mouths |= surfaces[s].present != work.solids.present[s];
    if (other_mouths) gained -= total_smoke(work.solids.cut.volume, gas);
    update_solid_field(grid, surfaces, boundary_maker(scene.method), work.solids);
    if (other_mouths) gained += total_smoke(work.solids.cut.volume, gas);
    find_walls(surfaces, work.solids, work.wall_phi);
  });
  if (!moved) return report;
  const bool fed = stage("smoke", [&] {
    gained += feed_smoke(scene.gas, work.jets, work.solids, world.clock.time, dt, gas);
    extrapolate_into_solids(work.wall_phi, gas);
    gas.expected_smoke = std::max(0.0, gas.expected_smoke + gained);
    if (scene.gas.conserve) rescale_smoke(work.solids.cut.volume, densest(scene), most_rescaled, gas);
  });
  if (!fed) return report;

  (void)stage("measure", [&] {
    measure_gas(scene, gas, work, measured);
    measured.pockets = report_pockets(world, gas, work);
    const FluidProbes probes{
        .pressure = [&](const Vec3& x) { return pressure_at(gas.grid, gas.pressure, work.pressure.active, x); },
        .height = {},
        .outside = {},
        .velocity = [&](const Vec3& x) { return sample_faces(gas.u, grid.to_cells(x)); },
        .volume = {}};
    measure_world(scene, world, step, probes, report);
  });
  return report;
}

void undo(Gas&, GasWork&) {}

FrameLayers layers(const Scene& scene, const World& world, const Gas& gas, const GasWork& work) {
  constexpr float least_smoke = 1e-4f, least_heat = 1e-3f;
  FrameLayers layers;
  if (scene.output.smoke)
    layers.volumes.push_back(
        {.file = "smoke",
         .grid = gas.grid,
         .surface = {},
         .fogs = {{"density", gas.smoke, least_smoke}, {"temperature", gas.temperature, least_heat}},
         .u = gas.u,
         .picture = true});
  layers.skin_pressure = skin_pressure(world, gas, work);
  return layers;
}

const AssembledSystem* failed_system(const GasWork& work) { return work.failed.get(); }

}  // namespace coracle
