// One step with liquid.
//
// The cycle is that of [ZarifiBatty17 alg. 1]. Differs from the paper: it begins with the solve and ends with the
// motion, so that both use one dt, and a moving wall sweeps in a step the volume that its velocity gives; and the
// particles' velocities are half a step behind their positions (step/grid/leapfrog.h), which keeps the energy.
#include "coracle/step/liquid/liquid_page.h"

#include "coracle/base/check.h"
#include "coracle/error.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/couple/grid_step.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/measure.h"
#include "coracle/step/liquid/probes.h"
#include "coracle/step/liquid/seed.h"
#include "coracle/step/liquid/spray.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/liquid/volume.h"
#include "coracle/step/particles/level_set.h"
#include "coracle/step/particles/probes.h"
#include "coracle/step/particles/shown_liquid.h"
#include "coracle/step/skinned/shown_skin.h"
#include "coracle/step/skinned/skin_amounts.h"
#include "coracle/world/build.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace coracle {
namespace {

constexpr int start_layers = 4;  // faces around the liquid with a velocity, at time zero

// Where the liquid is: sorted particles, surface, spray. The solid field must be up to date.
void find_surface(const Scene& scene, const Surfaces& surfaces, Liquid& liquid, LiquidWork& work) {
  const Grid& grid = liquid.grid;
  sort_by_cell(grid, liquid.particles, work.cell_start);
  find_level_set(grid, surfaces, work.solids, liquid.particles.x, work.cell_start, work.level_set, work.fluid_phi);
  forget_drained(grid, work.outflows, liquid.pockets);
  keep_pockets_full(grid, work.solids.cut, int(std::ceil(scene.time.cfl)) + 1, liquid.pockets, work.fluid_phi);
  mark_spray(grid, work.fluid_phi, surfaces, work.solids, liquid.particles, work.spray);
}

// The step is about to change the particles: it writes new ones, and the old ones stay for undo().
void set_particles_aside(Liquid& liquid, LiquidWork& work) {
  std::swap(liquid.particles, work.previous);
  work.changed_particles = true;
}

// What liquid on skins sees.
Surroundings surroundings(const Liquid& liquid, const LiquidWork& work, const Surfaces& surfaces) {
  return {.grid = liquid.grid,
          .liquid_phi = work.fluid_phi,
          .surfaces = surfaces,
          .solids = work.solids,
          .particle_volume = particle_volume(liquid.grid)};
}

SkinnedReport where_liquid_is(const Liquid& liquid, const LiquidWork& work, const Surfaces& surfaces) {
  return measure_skins(liquid, particle_volume(liquid.grid),
                       count_outside_inflows(surfaces, work.solids, liquid.particles));
}

// Liquid outside solids, and the liquid in inflows: min(max(φ_liquid, −φ_solid), φ_inflow).
Array3<double> visible_phi(const World& world, const LiquidWork& work) {
  const Array3<double>& solid_phi = work.solids.phi;
  CHECK(work.fluid_phi.n == solid_phi.n);
  Array3<double> phi = work.fluid_phi;
  for_each_index(phi.size(), [&](std::size_t i) { phi.data[i] = std::max(phi.data[i], -solid_phi.data[i]); });
  for (std::size_t s = 0; s < world.solids.size(); ++s)
    if (world.solids[s].inflow && world.solids[s].present)
      for_each_index(phi.size(),
                     [&](std::size_t i) { phi.data[i] = std::min(phi.data[i], work.solids.each[s].phi.data[i]); });
  return phi;
}

// Lone particles of the bulk, and drops, which have sizes of their own; not those in the shown liquid.
PointLayer drop_layer(const Liquid& liquid, const ShownLiquid& shown, const Drops& drops) {
  PointLayer layer{.file = "drops", .indexed = false, .x = {}, .v = {}, .fields = {}};
  for (const int p : shown.lone_drops) {
    layer.x.push_back(liquid.particles.x[p].cast<float>());
    layer.v.push_back(liquid.particles.v[p]);
  }
  if (liquid.skins.empty()) return layer;
  std::vector<float> radii(layer.x.size(), float(lone_drop_radius * liquid.grid.dx));
  for (std::size_t i = 0; i < drops.size(); ++i) {
    if (sample_cells(shown.phi, shown.grid.to_cells(drops.x[i])) < 0) continue;
    layer.x.push_back(drops.x[i].cast<float>()), layer.v.push_back(drops.v[i].cast<float>());
    radii.push_back(float(std::cbrt(3 * drops.volume[i] / (4 * std::numbers::pi))));
  }
  layer.fields.emplace_back("radius", std::move(radii));
  return layer;
}

// Of the shown surface: outside the bulk it is that of liquid on skins.
Vec3 shown_velocity(const Liquid& liquid, const LiquidWork& work, const MoreLiquid& more, const Vec3& x) {
  constexpr double outside = 0.25;  // cells
  const Vec3 at = liquid.grid.to_cells(x);
  if (!more.cells.empty() && sample_cells(work.fluid_phi, at) > outside * liquid.grid.dx) {
    const Grid fine = shown_grid(liquid.grid);
    const std::size_t index = fine.cell_index(fine.cell_of(x));
    const auto found = std::lower_bound(more.cells.begin(), more.cells.end(), index,
                                        [](const MoreLiquid::Cell& c, std::size_t i) { return c.index < i; });
    if (found != more.cells.end() && found->index == index) return found->v.cast<double>();
  }
  return sample_faces(liquid.u, at);
}

// What the scene alone decides.
void set_up(const Scene& scene, Liquid& liquid, LiquidWork& work) {
  for (int a = 0; a < 3; ++a)
    if (!liquid.carried[a].data.empty()) liquid.carried[a].n = liquid.grid.faces(a);
  if (work.set_up) return;
  for (const OutflowOptions& o : scene.outflows) work.outflows.emplace_back(o.shape);
  work.placed = make_placed_page(scene);
  work.set_up = true;
}

void derive_at_home(const Scene& scene, const World& world, Liquid& liquid, LiquidWork& work) {
  const Surfaces surfaces(world);
  update_solid_field(liquid.grid, surfaces, boundary_maker(scene.method), work.solids);
  find_surface(scene, surfaces, liquid, work);
  derive_skins(scene, world, liquid, work.skins);
}

}  // namespace

void start(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work) {
  set_up(scene, liquid, work);
  liquid.particles = seed_particles(scene, world, liquid.grid);
  update_solid_field(liquid.grid, Surfaces(world), boundary_maker(scene.method), work.solids);
  const std::vector<bool> none_present(world.solids.size(), false);
  emit_particles(scene.liquid, world, liquid.grid, work.solids, none_present, 0, liquid.particles);
  derive_at_home(scene, world, liquid, work);
  const Surfaces surfaces(world);
  if (!liquid.skins.empty()) wet_skins(scene, world, surroundings(liquid, work, surfaces), work.skins, liquid);
  // Volume and velocity are those of the particles.
  liquid.expected_volume = measure_volume(world, liquid, work).volume;
  liquid.ledger.start = where_liquid_is(liquid, work, surfaces).total;
  particles_to_grid(liquid.grid, liquid.particles, work.cell_start, work.spray, liquid.u, work.valid);
  extrapolate(start_layers, liquid.u, work.valid);
  if (scene.liquid.advection == Advection::semi_lagrangian) liquid.carried = liquid.u;
  if (work.placed) work.placed->derive(scene, world, liquid, step, work);
}

void derive(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work) {
  set_up(scene, liquid, work);
  if (work.placed)
    work.placed->derive(scene, world, liquid, step, work);
  else
    derive_at_home(scene, world, liquid, work);
}

// Nothing crosses more than `cfl` cells, and the phase of the shortest wave on the grid, ω² = g π / dx, advances by at
// most one radian. Spray does not count: single drops can be many times as fast as the rest; their paths are checked.
StableStep stable_step(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work) {
  const double fastest = work.placed ? work.placed->max_speed() : max_speed(liquid.particles, work.spray);
  double speed = std::max(fastest, fastest_solid(scene, world));
  for (const Solid& s : world.solids)
    if (s.inflow && s.present) speed = std::max(speed, s.flow.norm());
  const double dx = liquid.grid.dx, g = scene.gravity.norm();
  double dt = std::min(scene.time.max_dt, bodies_dt(scene, world));
  if (speed > 0) dt = std::min(dt, scene.time.cfl * dx / speed);
  if (g > 0) dt = std::min(dt, shortest_wave_time(dx, g));
  return {shorten_first(scene, world, dt), speed};
}

StepReport step(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work, double dt) {
  if (work.placed) return work.placed->step(scene, world, liquid, step, work, dt);
  const Grid& grid = liquid.grid;
  const LiquidOptions& options = scene.liquid;
  Particles& particles = liquid.particles;
  const bool from_particles = options.advection != Advection::semi_lagrangian;
  StepReport report;
  Stages stage(report, step.fail_after);
  LiquidReport& measured = report.fluid.emplace<LiquidReport>();
  report.dt = dt;
  work.changed_particles = work.moved_skins = false;

  // 1. Velocity at `time` − lag, from the particles or as advected.
  const bool transferred = stage("transfer", [&] {
    set_velocity_over(world.solids, world.clock.time, dt);
    std::swap(liquid.u, work.drift);
    if (from_particles) {
      particles_to_grid(grid, particles, work.cell_start, work.spray, work.u_kicked, work.valid);
      if (options.advection == Advection::flip) work.u_before = work.u_kicked;
      extrapolate(layers_for_transfer, work.u_kicked, work.valid);
    } else {
      work.u_kicked = liquid.carried;
    }
    return not_finite("transfer", work.u_kicked);
  });
  if (!transferred) return report;

  // 2. Gravity; then pressure and the bodies' velocity in one solve, so that the liquid keeps its volume and neither
  //    leaves nor enters solids.                                                           [ZarifiBatty17 eqs. 13, 16]
  Surfaces surfaces(world);
  Kick kick = choose_kick(liquid, world.clock, dt);
  add_gravity(kick.tau * scene.gravity, work.u_kicked, liquid.u);
  aim_drift(kick, work.drift, liquid.u);
  const double pace =
      correction_time(grid.dx, scene.gravity.norm(), max_speed(particles, work.spray), 1 / scene.time.fps, dt);
  const ProjectionInput input{
      .grid = grid,
      .cut = work.solids.cut,
      .fluid_phi = work.fluid_phi,
      .surfaces = surfaces,
      .density = options.density,
      .dt = kick.solve_dt(),
      .expansion = options.volume_correction ? expansion_rate(measure_volume(world, liquid, work), pace) : 0,
      .solver = scene.solver,
      .step = dt};
  GridSolve found;
  HomeFluid fluid(liquid.u, liquid.pressure, work.valid, work.pressure);
  if (!solve_pressure(scene, world, liquid, step, work, input, fluid, stage, report, found)) return report;
  apply_kick(input, scene.gravity.norm(), work.valid, kick, liquid, work.drift, work.u_kicked);
  accept_solve(scene, input, kick, found, world, step, fluid, surfaces, report);
  const ProjectionReport& projection = found.projection;
  note_squeezed_pocket(projection, liquid.expected_volume, "liquid", "a free surface", report);
  measured.cells = projection.active;
  measured.max_divergence = projection.max_divergence;

  // 3. Velocity around the liquid, and back to the particles: half a step later.
  if (!extrapolate_velocity(scene, least_open_face, liquid, work, surfaces, stage)) return report;
  set_particles_aside(liquid, work);
  const Particles& before = work.previous;
  Acceleration acceleration;
  const bool returned = stage("particles", [&] {
    grid_to_particles(grid, options, work.u_kicked, work.u_before, work.cell_start, work.spray, before, particles);
    accelerate_spray(grid, surfaces, work.solids, work.spray, kick.length * scene.gravity, before.x, particles);
    acceleration = acceleration_in(kick, scene, liquid, before);
  });
  if (!returned) return report;

  // 4. Move: particles along the velocity of the middle of the step, spray along its own, solids and bodies. Inflows
  //    and outflows.
  const std::size_t free_before = count_outside_inflows(surfaces, work.solids, before);
  const bool advected = stage("advect", [&] {
    advect_particles(grid, {work.drift, work.fluid_phi, work.solids.phi, work.level_set.share}, work.cell_start,
                     work.spray, dt, options, before.x, particles);
    if (!from_particles) advect_velocity(grid, dt, work.drift, work.u_kicked, liquid.carried);
  });
  if (!advected) return report;
  std::size_t drained = 0;
  const bool moved = stage("solids", [&] {
    move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    const std::vector<bool> present = work.solids.present;
    move_solids(world.solids, world.clock.time);
    surfaces = Surfaces(world);
    update_solid_field(grid, surfaces, boundary_maker(scene.method), work.solids);
    push_out(grid, surfaces, work.solids, before.x, dt, particles.x);
    drained = drain(work.outflows, particles);
    emit_particles(options, world, grid, work.solids, present, dt, particles);
  });
  if (!moved) return report;
  // Liquid on skins. What the bulk gives to them or gets from them is no loss of its volume.
  const bool wetted = stage("skins", [&] {
    const double each = particle_volume(grid);
    const auto count = [&] { return double(count_outside_inflows(surfaces, work.solids, particles)); };
    if (!liquid.skins.empty()) {
      liquid.ledger.in += each * (count() - double(free_before) + double(drained));
      liquid.ledger.out += each * double(drained);
      // Particles in inflows do not count yet: those that skins take from there come in, and the other way round.
      const auto in_inflows = [&] { return double(particles.size()) - count(); };
      const double waiting = in_inflows();
      work.moved_skins = true;
      step_skins(scene, world, surroundings(liquid, work, surfaces), dt, liquid, work.skins);
      liquid.ledger.in += each * (waiting - in_inflows());
      liquid.ledger.out += drain(work.outflows, liquid.drops);
    }
    liquid.expected_volume += each * (count() - double(free_before));
  });
  if (!wetted) return report;

  // 5. Where the liquid is now.
  if (!stage("surface", [&] { find_surface(scene, surfaces, liquid, work); })) return report;
  (void)stage("measure", [&] {
    measure_liquid(scene, world, liquid, work, measured);
    add_acceleration(acceleration, liquid.lag, measured);
    measured.pockets = report_pockets(world, liquid, work);
    if (!liquid.skins.empty()) measured.skinned = where_liquid_is(liquid, work, surfaces);
    const FluidProbes probes{
        .pressure = [&](const Vec3& x) { return pressure_at(grid, liquid.pressure, work.pressure.active, x); },
        .height = [&](const Vec3& from, const Vec3& to) { return wet_length(grid, work.fluid_phi, from, to); },
        .outside = [&](const Body& body) { return double(count_outside(body, grid, particles.x, work.cell_start)); },
        .velocity = [&](const Vec3& x) { return velocity_in(grid, liquid.u, work.fluid_phi, x); },
        .volume =
            [&](const PosedBox& box) {
              return volume_in_box(world, liquid, work, box) + skinned_volume_in(box, world, liquid, work.skins);
            }};
    measure_world(scene, world, step, probes, report);
  });
  return report;
}

void bring_home(Liquid& liquid, LiquidWork& work) {
  if (work.placed) work.placed->bring_home(liquid, work);
}

void set_out(Liquid& liquid, LiquidWork& work) {
  if (work.placed) work.placed->set_out(liquid, work);
}

void undo(Liquid& liquid, LiquidWork& work) {
  if (work.placed) return work.placed->undo(liquid);
  if (work.moved_skins) undo_skins(work.skins);
  work.moved_skins = false;
  if (work.changed_particles) std::swap(liquid.particles, work.previous);
  work.changed_particles = false;
}

FrameLayers layers(const Scene& scene, const World& world, const Liquid& liquid, const LiquidWork& work) {
  const OutputOptions& wanted = scene.output;
  const Particles& particles = liquid.particles;
  FrameLayers layers;
  if (wanted.surface) {
    const auto skins = std::make_shared<const ShownSkins>(shown_skins(scene, world, liquid, work.solids, work.skins));
    ShownLiquid shown = shown_liquid(
        world, {liquid.grid, particles.x, work.fluid_phi, work.level_set.share, work.solids, &skins->joined});
    layers.points.push_back(drop_layer(liquid, shown, skins->drops));
    layers.surfaces.push_back(
        {.file = "surface",
         .grid = shown.grid,
         .phi = std::move(shown.phi),
         .velocity = [&liquid, &work, skins](const Vec3& x) { return shown_velocity(liquid, work, skins->joined, x); },
         .color = {}});
  }
  if (wanted.solids) layers.solids = film_layers(scene, world, liquid);
  if (wanted.volume)
    layers.volumes.push_back(
        {.file = "liquid", .grid = liquid.grid, .surface = visible_phi(world, work), .fogs = {}, .u = liquid.u});
  if (wanted.particles) {
    std::vector<float> pressure(particles.size());
    for_each_index(pressure.size(), [&](std::size_t p) {
      pressure[p] = float(sample_cells(liquid.pressure, liquid.grid.to_cells(particles.x[p])));
    });
    PointLayer points{.file = "particles", .indexed = true, .x = {}, .v = particles.v, .fields = {}};
    for (const Vec3& x : particles.x) points.x.push_back(x.cast<float>());
    points.fields.emplace_back("pressure", std::move(pressure));
    layers.points.push_back(std::move(points));
  }
  layers.skin_pressure = skin_pressure(world, liquid, work);
  return layers;
}

const AssembledSystem* failed_system(const LiquidWork& work) { return work.failed.get(); }

}  // namespace coracle
