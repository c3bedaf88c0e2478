// A bar that bends itself in water: what it does to its own momentum and to the energy of all.
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr const char* swimming_bar = R"(
[domain]
max = [0.6, 0.4, 0.4]
resolution = 24
[time]
frames = 8
fps = 24
max_dt = 0.012
[[liquid.region]]
shape = "half_space"
point = [0, 0.3, 0]
[[body]]
name = "bar"
shape = "box"
center = [0.3, 0.16, 0.2]
size = [0.3, 0.1, 0.06]
mesh = "grid5"
element = "linear"
cells = [8, 2, 2]
young = 1.5e5
density = 1100
[[body.muscle]]
name = "left"
stress = 6e4
frequency = 5
wavelength = 0.4
along = [-1, 0, 0]
[[body.muscle.region]]
shape = "half_space"
point = [0, 0, 0.2]
normal = [0, 0, 1]
[[body.muscle]]
name = "right"
stress = 6e4
frequency = 5
phase = "=pi"
wavelength = 0.4
along = [-1, 0, 0]
[[body.muscle.region]]
shape = "half_space"
point = [0, 0, 0.2]
normal = [0, 0, -1]
)";

// Under backward Euler velocities are those of the middle of steps: weight acts for half of the last and half of this.
TEST(Swimming, the_momentum_of_a_body_changes_by_what_water_and_weight_give_in_every_step) {
  const Scene scene = parse_scene(swimming_bar, "bar.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  double mass = 0, last_dt = 0, sideways = 0;
  for (const double m : world.bodies[0].rest->mass) mass += m;
  Vec3 momentum = Vec3::Zero();
  while (world.clock.frame < scene.time.frames)
    advance_frame(scene, world, work, [&](const StepReport& r) {
      const BodyReport& bar = r.bodies[0];
      const Vec3 given = r.dt * bar.fluid_force + 0.5 * (last_dt + r.dt) * mass * scene.gravity;
      const double size = r.dt * bar.fluid_force.norm() + mass * r.dt * scene.gravity.norm();
      EXPECT_LT((bar.momentum - momentum - given).norm(), 1e-9 * size) << r.time << " s";
      momentum = bar.momentum, last_dt = r.dt;
      sideways = std::max(sideways, std::abs(bar.fluid_force.z()));
    });
  EXPECT_GT(sideways, 0.05 * mass * 9.81);  // N: it does push the water
}

}  // namespace
}  // namespace coracle
