#include "validation/sph_setup.h"

#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/sph/sph_page.h"
#include "coracle/world/build.h"

#include <stdexcept>

namespace coracle::validation {

Cloud cloud(const SphLiquid& liquid, double density) {
  Cloud sum;
  const double n = double(liquid.size());
  for (std::size_t i = 0; i < liquid.size(); ++i) {
    sum.center += liquid.x[i] / n;
    sum.velocity += liquid.v[i] / n;
    sum.rms_speed += liquid.v[i].squaredNorm() / n;
  }
  sum.rms_speed = std::sqrt(sum.rms_speed);
  sum.mass = density * particle_volume(liquid.grid) * n;
  return sum;
}

SteppedRun::SteppedRun(const std::string& toml, const std::string& name)
    : name(name), scene(parse_scene(toml, name + ".toml")), world(build_world(scene)) {
  start(scene, world, work);
}

StepReport SteppedRun::step(double dt) {
  StepReport report = coracle::step(scene, world, sph_of(world), work.step, std::get<SphWork>(work.fluid), dt);
  if (!report.ok) throw std::runtime_error(name + ": " + report.trouble);
  report.time = world.clock.time;
  return report;
}

void run_by_steps(const std::string& toml, const std::string& name, double dt, double seconds, const OnStep& on_step) {
  SteppedRun run(toml, name);
  while (run.world.clock.time < seconds - 0.5 * dt) on_step(run.step(dt), run.world, run.work);
}

}  // namespace coracle::validation
