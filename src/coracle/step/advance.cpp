#include "coracle/step/advance.h"

#include "coracle/step/body/stress.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/voxel_boundary.h"
#include "coracle/step/liquid/flows.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/measure.h"
#include "coracle/step/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

constexpr int most_retries = 8;
constexpr int start_layers = 4;

// Of anything that moves, m/s, but the spray: single drops of it can be many times as fast as the rest, and look by
// themselves where they fly.
double fastest(const World& world, const Workspace& work) {
  double speed = max_speed(world.particles, work.spray);
  for (const Solid& s : world.solids)
    if (s.moving || (s.inflow && s.present && !world.gas.present()))
      for (const Vec3& v : s.v) speed = std::max(speed, v.norm());
  // A jet's velocity of the moment is not part of the state: its bound counts.
  for (const Jet& jet : world.jets)
    if (world.clock.time >= jet.options.start && world.clock.time <= jet.options.end)
      speed = std::max(speed, jet.options.velocity.norm() * (1 + std::sqrt(3.0) * jet.options.noise));
  for (const Body& b : world.bodies) speed = std::max(speed, max_speed(b));
  if (world.gas.present())
    for (const Array3<double>& u : world.gas.carried)
      speed = std::max(speed, largest(u.size(), [&](std::size_t i) { return std::abs(u.data[i]); }));
  return speed;
}

// The longest step in which nothing crosses more than `cfl` cells (fluid, solids, inflows), and in which the shortest
// wave that the grid holds on a liquid, ω² = g π / dx, turns by no more than one radian.
double stable_dt(const Scene& scene, const World& world, const Workspace& work) {
  const double dx = world.grid.dx;
  double dt = scene.time.max_dt;
  // No node of a body passes more than half an edge, so that none tunnels through another's surface; further only where
  // cfl asks for very long steps.
  const double edges = 0.5 * std::max(1.0, 0.5 * scene.time.cfl);
  for (const Body& body : world.bodies) {
    const double speed = std::max(scene.gravity.norm() * world.clock.last_dt, max_speed(body));
    if (speed > 0) dt = std::min(dt, edges * body.rest->edge / speed);
  }
  if (const double speed = fastest(world, work); speed > 0) dt = std::min(dt, scene.time.cfl * dx / speed);
  if (const double g = scene.gravity.norm(); g > 0 && !world.gas.present())
    dt = std::min(dt, std::sqrt(dx / (M_PI * g)));
  return dt;
}

// What may be behind a step that fails: Green strain does not tell a body turned inside out from one that is not.
std::string inverted_word(const World& world) {
  for (const Body& body : world.bodies)
    if (body.rest->options.material == MaterialModel::st_venant_kirchhoff && least_quality(body) < 0)
      return fmt::format(
          "; elements of '{}' are turned inside out, and st_venant_kirchhoff leaves them so: take a stiffer body, "
          "shorter steps, or material = 'fixed_corotated'",
          body.name);
  return "";
}

// All but the particles: no stage touches them before the last that can fail.
void remember(World& world, World& before) {
  Particles particles = std::move(world.particles);
  before = world;
  world.particles = std::move(particles);
}

void go_back(const World& before, World& world) {
  Particles particles = std::move(world.particles);
  world = before;
  world.particles = std::move(particles);
}

}  // namespace

MakeBoundary boundary_of(Method method) { return method == Method::simultaneous ? voxel_boundary : exact_boundary; }

void prepare(const Scene& scene, World& world, Workspace& work) {
  work.solids.make_boundary = boundary_of(scene.method);
  if (world.clock.step == 0 && work.solids.updates == 0 && has_liquid(world)) {  // not again for a repeated first step
    update_solid_field(world.grid, cutting_surfaces(world), work.solids);
    emit_particles(scene, world, work.solids, std::vector<bool>(world.solids.size(), false), 0, world.particles);
  }
  const Surfaces surfaces = cutting_surfaces(world);
  update_solid_field(world.grid, surfaces, work.solids);
  if (world.gas.present())
    prepare_gas(scene, world, work);
  else
    update_geometry(scene, world, work);
  mark_active({world.grid, work.solids.cut, work.liquid_phi, surfaces, scene.liquid.density, 1, 0, scene.solver,
               open_sides(scene)},
              work.pressure.active);
  if (world.clock.step > 0 || world.gas.present()) return;
  // At the start the liquid has the volume and the velocity that its particles have.
  world.ledger.expected_volume = measure_volume(world, work).volume;
  particles_to_grid(world.grid, world.particles, work.cell_start, work.spray, world.u, work.valid);
  extrapolate(start_layers, world.u, work.valid);
}

void advance_frame(const Scene& scene, World& world, Workspace& work,
                   const std::function<void(const StepReport&)>& on_step) {
  const double end = (world.clock.frame + 1) / scene.time.fps;
  World before;
  int retries = 0;
  while (world.clock.time < end) {
    // Equal steps to the end of the frame, each at most the stable one; a retry halves it.
    const double rest = end - world.clock.time;
    const double wanted = stable_dt(scene, world, work) * std::pow(0.5, retries);
    const double count = std::ceil(rest / wanted * (1 - 1e-9));
    const double dt = rest / std::max(count, 1.0);
    if (dt < scene.time.min_dt)
      throw RunError(fmt::format(
          "step {} at t = {:.6g} s needs dt = {:.3g} s, below time.min_dt = {:.3g} s: something moves "
          "at {:.3g} m/s{}",
          world.clock.step, world.clock.time, dt, scene.time.min_dt, fastest(world, work), inverted_word(world)));
    remember(world, before);
    StepReport report = substep(scene, world, work, dt);
    if (!report.ok) {
      go_back(before, world);
      prepare(scene, world, work);
      ++retries;
      if (retries > most_retries || dt / 2 < scene.time.min_dt)
        throw RunError(fmt::format("step {} at t = {:.6g} s fails at dt = {:.3g} s: {}{}", world.clock.step,
                                   world.clock.time, dt, report.trouble, inverted_word(world)));
      continue;
    }
    if (count <= 1) world.clock.time = end;
    report.time = world.clock.time;
    report.retries = retries;
    report.frame = world.clock.frame + 1;
    retries = 0;
    if (count <= 1) world.clock.frame += 1;
    on_step(report);
  }
}

}  // namespace coracle
