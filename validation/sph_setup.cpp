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

void run_by_steps(const std::string& toml, const std::string& name, double dt, double seconds, const OnStep& on_step) {
  const Scene scene = parse_scene(toml, name + ".toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  while (world.clock.time < seconds - 0.5 * dt) {
    StepReport report = step(scene, world, sph_of(world), work.step, std::get<SphWork>(work.fluid), dt);
    if (!report.ok) throw std::runtime_error(name + ": " + report.trouble);
    report.time = world.clock.time;
    on_step(report, world, work);
  }
}

}  // namespace coracle::validation
