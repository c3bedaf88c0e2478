// One step with liquid at a place: the page of liquid_page.cpp, with the same stages in the same order, for particles
// and fields that lie there between steps. What solids, bodies and the host's loops share with it crosses: surfaces and
// cut cells where they have changed, the cells beside them in the solve, and numbers.
//
// It does the method cutcell without semi-Lagrangian advection (not_on_gpu_because in scene/fluid_summary.h).
#pragma once

#include "coracle/error.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/couple/grid_step.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/grid/device/extrapolate.h"
#include "coracle/step/grid/device/leapfrog.h"
#include "coracle/step/grid/device/placed_fluid.h"
#include "coracle/step/grid/device/walls.h"
#include "coracle/step/liquid/device/drains.h"
#include "coracle/step/liquid/device/measure.h"
#include "coracle/step/liquid/device/motion.h"
#include "coracle/step/liquid/device/particles.h"
#include "coracle/step/liquid/device/probes.h"
#include "coracle/step/liquid/device/transfer.h"
#include "coracle/step/liquid/liquid_work.h"
#include "coracle/step/liquid/measure.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/liquid/volume.h"
#include "coracle/step/particles/device/level_set.h"
#include "coracle/world/build.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace coracle {

template <class Place>
class PageAt : public PlacedPage {
 public:
  explicit PageAt(std::unique_ptr<PlacedSolver> solver)
      : fluid_(l_.place, std::move(solver), l_.fluid_phi, l_.solids, l_.u, l_.pressure, l_.valid) {}

  void derive(const Scene& scene, World& world, Liquid& liquid, StepWork&, LiquidWork& work) override {
    if (is_home(liquid)) take(scene, liquid);
    const Surfaces surfaces(world);
    update_solid_field(liquid.grid, surfaces, boundary_maker(scene.method), work.solids);
    place_solids(l_.place, liquid.grid, surfaces, work.solids, l_.solids);
    find_surface(scene, surfaces, liquid, work);
    changed_ = false;
  }

  double max_speed() override { return coracle::max_speed(l_.place, l_.particles, l_.spray); }

  StepReport step(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work,
                  double dt) override;

  void undo(Liquid&) override {
    if (std::exchange(changed_particles_, false)) swap(l_.particles, l_.previous);
    if (!std::exchange(changed_, false)) return;
    swap(l_.u, saved_u_);
    std::swap(l_.pressure.n, saved_pressure_.n), l_.pressure.data.swap(saved_pressure_.data);
  }

  void bring_home(Liquid& liquid, LiquidWork& work) override {
    if (is_home(liquid)) return;
    download(l_.place, l_.particles, liquid.particles);
    download(l_.place, l_.pressure, liquid.pressure);
    download(l_.place, l_.fluid_phi, work.fluid_phi);
    download(l_.place, l_.share, work.level_set.share);
    work.cell_start.resize(l_.cell_start.size());
    l_.place.download(std::as_const(l_.cell_start).data(), work.cell_start.size(), work.cell_start.data());
    work.spray.resize(l_.particles.count);
    l_.place.download(std::as_const(l_.spray).data(), work.spray.size(), work.spray.data());
    for (const int a : {2, 1, 0}) download(l_.place, l_.u[a], liquid.u[a]);  // the last one says that all are home
  }

  void set_out(Liquid& liquid, LiquidWork& work) override {
    if (!is_home(liquid)) return;
    for (auto& u : liquid.u) u = {};
    liquid.pressure = {}, work.fluid_phi = {}, work.level_set.share = {};
    liquid.particles = {};
    work.cell_start.clear(), work.spray.clear();
  }

  // ---- Parts of these. Public, since kernels may not stand in functions that are not.

  static bool is_home(const Liquid& liquid) { return !liquid.u[0].data.empty(); }

  void take(const Scene& scene, const Liquid& liquid) {
    affine_ = scene.liquid.advection == Advection::apic;
    upload(l_.place, liquid.particles, l_.particles);
    upload(l_.place, liquid.u, l_.u);
    upload(l_.place, liquid.pressure, l_.pressure);
  }

  static void swap(PlacedParticles<Place>& a, PlacedParticles<Place>& b) {
    a.x.swap(b.x), a.v.swap(b.v), a.c.swap(b.c);
    std::swap(a.count, b.count);
  }
  static void swap(PlacedFaces<Place, double>& a, PlacedFaces<Place, double>& b) {
    for (int axis = 0; axis < 3; ++axis) std::swap(a[axis].n, b[axis].n), a[axis].data.swap(b[axis].data);
  }

  // Where the liquid is now. The solids must be up to date.
  void find_surface(const Scene& scene, const Surfaces& surfaces, Liquid& liquid, LiquidWork& work) {
    Place& place = l_.place;
    const Grid& grid = liquid.grid;
    sort_by_cell(place, grid, l_.particles, l_.cell_start, l_.cells);
    const CellsView cells{l_.cell_start.data(), l_.cells.filled.data(), l_.cells.number.data(), l_.cells.count};
    find_level_set(place, grid, work.solids.updates, work.solids.cut, has_inflows(surfaces), l_.solids,
                   std::as_const(l_.particles.x).data(), cells, level_set_, l_.share, l_.fluid_phi);
    forget_drained(grid, work.outflows, liquid.pockets);
    const std::vector<int> full =
        cells_of_full_pockets(grid, work.solids.cut, int(std::ceil(scene.time.cfl)) + 1, liquid.pockets);
    if (!full.empty()) {
      place.upload(full.data(), full.size(), full_);
      const int* const cell = full_.data();
      double* const phi = l_.fluid_phi.data.data();
      const double dx = grid.dx;
      place.for_each(full.size(), [=] CORACLE_KERNEL(std::size_t i) { phi[cell[i]] = kept_full(phi[cell[i]], dx); });
    }
    mark_spray(place, grid, std::as_const(l_.fluid_phi).view(), l_.solids, l_.particles, l_.spray);
  }

  LiquidReport measure_volume(const Surfaces& surfaces, const Liquid& liquid) {
    const OutsideInflows counts{l_.solids.view(), std::as_const(l_.particles.x).data(), has_inflows(surfaces)};
    const VolumeCounts sums =
        volume_counts(l_.place, liquid.grid, l_.fluid_phi, l_.solids.volume, l_.cell_start, l_.spray, counts);
    return report_volume(liquid.grid, sums, l_.particles.count, liquid.expected_volume);
  }

  std::size_t count_outside(const Surfaces& surfaces, const PlacedParticles<Place>& particles) {
    return count_outside_inflows(l_.place, surfaces, l_.solids, particles);
  }

  std::size_t drain(const LiquidWork& work) {
    if (work.outflows.empty()) return 0;
    if (regions_.first.empty()) place_regions(l_.place, work.outflows, regions_);
    mark_drained(l_.place, regions_, l_.particles, marks_);
    return remove_particles(l_.place, marks_, l_.particles, kept_, l_.cells.sorted);
  }

  void emit(const LiquidOptions& options, const World& world, const Grid& grid, const SolidField& field,
            const std::vector<bool>& present, double dt) {
    for (std::size_t s = 0; s < world.solids.size(); ++s) {
      const Solid& flow = world.solids[s];
      if (!flow.inflow || !flow.present) continue;
      if (!present[s]) {  // remove the liquid that was there before
        mark_inside(l_.place, l_.solids.each[s].view, l_.particles, marks_);
        remove_particles(l_.place, marks_, l_.particles, kept_, l_.cells.sorted);
      }
      const Particles fresh = emission(options, flow, grid, field.each[s], world.clock.time, dt, !present[s]);
      append_particles(l_.place, fresh.x, fresh.v, affine_, l_.particles, l_.cells.sorted);
    }
  }

  // As extrapolate_velocity (grid_step.h).
  void spread(const Scene& scene, double least_open, const Surfaces& surfaces) {
    Place& place = l_.place;
    const int layers = layers_for_paths(scene.time.cfl);
    if (surfaces.empty()) {  // the same faces count for all three
      leave_out_closed(place, l_.solids.open, least_open, l_.valid);
      add_velocity(place, l_.u, l_.u_kicked);
      extrapolate(place, std::max(layers, layers_for_transfer), l_.valid, scratch_marks_, l_.u_kicked, l_.drift, l_.u);
      return;
    }
    leave_out_closed(place, l_.solids.open, least_open, well_open_share, l_.valid, well_open_);
    extrapolate(place, layers_for_transfer, well_open_, scratch_marks_, l_.u_kicked);
    place_velocities(place, surfaces, l_.solids);
    for (PlacedFaces<Place, double>* u : {&l_.drift, &l_.u})
      set_inflow_velocity(place, l_.solids, u->view(), l_.valid.view());
    copy(place, l_.valid, well_open_);  // now those that `constrain` leaves alone
    extrapolate(place, layers, l_.valid, scratch_marks_, l_.drift, l_.u);
    constrain(place, grid_, surfaces, std::as_const(well_open_).view(), l_.drift.view(), l_.solids);
    add_velocity(place, l_.u, l_.u_kicked);
  }

 private:
  PlacedLiquid<Place> l_;
  PlacedFluid<Place> fluid_;
  Grid grid_;
  bool affine_ = false;
  // What undo() needs.
  PlacedFaces<Place, double> saved_u_;
  PlacedArray3<Place, double> saved_pressure_;
  bool changed_ = false, changed_particles_ = false;
  // Memory.
  PlacedLevelSetWork<Place> level_set_;
  PlacedRegions<Place> regions_;
  KickWork<Place> kick_;
  PlacedFaces<Place, std::uint8_t> well_open_, scratch_marks_;
  typename Place::template Array<std::uint8_t> marks_;
  typename Place::template Array<std::uint32_t> kept_;
  typename Place::template Array<int> full_;
};

template <class Place>
StepReport PageAt<Place>::step(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work,
                               double dt) {
  Place& place = l_.place;
  const Grid& grid = grid_ = liquid.grid;
  const LiquidOptions& options = scene.liquid;
  StepReport report;
  Stages timed(report, step.fail_after);
  // Kernels run on while the host goes on: a stage ends when they have.
  const auto stage = [&](const char* name, auto&& f) {
    return timed(name, [&] {
      if constexpr (std::is_void_v<decltype(f())>) {
        f();
        place.wait();
      } else {
        std::string trouble = f();
        place.wait();
        return trouble;
      }
    });
  };
  LiquidReport& measured = report.fluid.template emplace<LiquidReport>();
  report.dt = dt;
  changed_ = changed_particles_ = false;

  // 1. Velocity at `time` − lag, from the particles.
  const bool transferred = stage("transfer", [&] {
    set_velocity_over(world.solids, world.clock.time, dt);
    copy(place, l_.u, saved_u_);
    saved_pressure_.resize(l_.pressure.n);
    place.copy(std::as_const(l_.pressure.data).data(), saved_pressure_.data.data(), l_.pressure.size());
    changed_ = true;
    swap(l_.u, l_.drift);
    particles_to_grid(place, grid, l_.particles, l_.cell_start, l_.cells, l_.spray, l_.scatter, l_.u_kicked, l_.valid);
    if (options.advection == Advection::flip) copy(place, l_.u_kicked, l_.u_before);
    extrapolate(place, layers_for_transfer, l_.valid, scratch_marks_, l_.u_kicked);
    return not_finite(place, "transfer", l_.u_kicked);
  });
  if (!transferred) return report;

  // 2. Gravity; then pressure and the bodies' velocity in one solve.
  Surfaces surfaces(world);
  Kick kick = choose_kick(liquid, world.clock, dt);
  add_gravity(place, kick.tau * scene.gravity, l_.u_kicked, l_.u);
  aim_drift(place, kick, l_.drift, l_.u);
  const double pace = correction_time(grid.dx, scene.gravity.norm(), max_speed(), 1 / scene.time.fps, dt);
  const ProjectionInput input{
      .grid = grid,
      .cut = work.solids.cut,
      .fluid_phi = work.fluid_phi,  // not there: l_.fluid_phi stands for it
      .surfaces = surfaces,
      .density = options.density,
      .dt = kick.solve_dt(),
      .expansion = options.volume_correction ? expansion_rate(measure_volume(surfaces, liquid), pace) : 0,
      .solver = scene.solver,
      .step = dt};
  GridSolve found;
  if (!solve_pressure(scene, world, liquid, step, work, input, fluid_, timed, report, found)) return report;
  apply_kick(place, input.open, scene.gravity.norm(), dt, l_.valid, kick, liquid, l_.u, l_.drift, l_.u_kicked, kick_);
  accept_solve(scene, input, kick, found, world, step, fluid_, surfaces, report);
  const ProjectionReport& projection = found.projection;
  note_squeezed_pocket(projection, liquid.expected_volume, "liquid", "a free surface", report);
  measured.cells = projection.active;
  measured.max_divergence = projection.max_divergence;

  // 3. Velocity around the liquid, and back to the particles: half a step later.
  const bool extrapolated = stage("extrapolate", [&] {
    spread(scene, least_open_face, surfaces);
    return not_finite(place, "extrapolate", l_.drift);
  });
  if (!extrapolated) return report;
  swap(l_.particles, l_.previous);
  changed_particles_ = true;
  Acceleration acceleration;
  const bool returned = stage("particles", [&] {
    grid_to_particles(place, grid, options, l_.u_kicked, l_.u_before, l_.cells, l_.spray, l_.previous, l_.particles);
    accelerate_spray(place, grid, l_.solids, std::as_const(l_.spray).data(), kick.length * scene.gravity, l_.previous,
                     l_.particles);
    acceleration = scaled(acceleration_sums(place, l_.previous, l_.particles), kick, options.density, grid);
  });
  if (!returned) return report;

  // 4. Move particles, spray, solids and bodies. Inflows and outflows.
  const std::size_t free_before = count_outside(surfaces, l_.previous);
  const bool advected = stage("advect", [&] {
    advect_particles(place, grid, flow_around(l_), std::as_const(l_.spray).data(), dt, options, l_.previous,
                     l_.particles);
  });
  if (!advected) return report;
  const bool moved = stage("solids", [&] {
    move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    const std::vector<bool> present = work.solids.present;
    move_solids(world.solids, world.clock.time);
    surfaces = Surfaces(world);
    update_solid_field(grid, surfaces, boundary_maker(scene.method), work.solids);
    place_solids(place, grid, surfaces, work.solids, l_.solids);
    push_out(place, grid, l_.solids, l_.previous, dt, l_.particles);
    (void)drain(work);
    emit(options, world, grid, work.solids, present, dt);
    liquid.expected_volume +=
        particle_volume(grid) * (double(count_outside(surfaces, l_.particles)) - double(free_before));
  });
  if (!moved) return report;

  // 5. Where the liquid is now.
  if (!stage("surface", [&] { find_surface(scene, surfaces, liquid, work); })) return report;
  (void)stage("measure", [&] {
    report_liquid(scene, grid, particle_sums(place, l_.particles),
                  l_.particles.count > 0 ? measure_volume(surfaces, liquid) : LiquidReport{}, l_.particles.count,
                  measured);
    add_acceleration(acceleration, liquid.lag, measured);
    measured.pockets = report_pockets(world, liquid, work);
    measure_world(scene, world, step, probes_at(place, grid, surfaces, l_, fluid_.placed_active()), report);
  });
  return report;
}

}  // namespace coracle
