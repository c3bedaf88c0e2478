// One step without a fluid. Only the integrator moves the bodies.
#include "coracle/step/dry/dry_page.h"

#include "coracle/step/body/measure.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/body/split_bodies.h"
#include "coracle/step/stages.h"
#include "coracle/world/build.h"

#include <algorithm>
#include <cmath>

namespace coracle {

void start(const Scene& scene, World& world, NoFluid& fluid, StepWork& step, DryWork& work) {
  derive(scene, world, fluid, step, work);
}

void derive(const Scene&, World& world, NoFluid&, StepWork&, DryWork& work) { work.trees.update(Surfaces(world)); }

// The cells of the scene's grid set the length scale, also without a fluid.
StableStep stable_step(const Scene& scene, const World& world, const NoFluid&, const DryWork&) {
  const double dx = scene_grid(scene.domain).dx, speed = fastest_solid(scene, world), g = scene.gravity.norm();
  double dt = std::min(scene.time.max_dt, bodies_dt(scene, world));
  if (speed > 0) dt = std::min(dt, scene.time.cfl * dx / speed);
  if (g > 0) dt = std::min(dt, std::sqrt(dx / (M_PI * g)));
  return {dt, speed};
}

StepReport step(const Scene& scene, World& world, NoFluid&, StepWork& step, DryWork& work, double dt) {
  StepReport report;
  Stages stage(report, step.fail_after);
  report.dt = dt;

  // 1. The velocities of the bodies, with contact.
  set_velocity_over(world.solids, world.clock.time, dt);
  if (!world.bodies.empty()) {
    const bool solved = stage("bodies", [&] {
      const BodyStep body_step{.options = scene.elastic,
                               .contact = scene.contact,
                               .world = world,
                               .trees = work.trees.list(),
                               .dt = dt,
                               .gravity_dv = dt * scene.gravity};
      const BodySolve solve =
          has_three_phases(scene)
              ? solve_split_bodies(body_step, scene.proxy.splitting == Splitting::three_phase ? 0.5 : 0, work.elastic,
                                   step.bodies, world.bodies, step.body_motion)
              : solve_bodies(body_step, step.bodies, world.bodies, step.body_motion);
      if (!solve.ok) return solve.trouble;
      report_bodies(world, solve, report);
      report.solver = solver_report(world, solve);
      return std::string();
    });
    if (!solved) return report;
  }

  // 2. Move bodies and solids.
  const bool moved = stage("solids", [&] {
    move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    move_solids(world.solids, world.clock.time);
    work.trees.update(Surfaces(world));
  });
  if (!moved) return report;

  (void)stage("measure", [&] { measure_world(scene, world, step, {}, report); });
  return report;
}

void undo(NoFluid&, DryWork&) {}

FrameLayers layers(const Scene&, const World&, const NoFluid&, const DryWork&) { return {}; }

const AssembledSystem* failed_system(const DryWork&) { return nullptr; }

}  // namespace coracle
