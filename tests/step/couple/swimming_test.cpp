// A bar that bends itself in water: what it does to its own momentum and to the energy of all.
#include "coracle/step/advance.h"
#include "coracle/world/build.h"
#include "validation/swimming_bar.h"

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

// The bar of validation, its wave along `along`, on a coarser grid and mesh. Its muscles pull fully at once, and stop
// at `end`.
Scene full_tank(double along, double end) {
  Scene scene = validation::swimming_bar(along, "semi_lagrangian");
  scene.domain.resolution = 40;
  scene.time.frames = 32;
  scene.bodies[0].cells = {12, 2, 2};
  for (MuscleOptions& muscle : scene.bodies[0].muscles) muscle.ramp = 0, muscle.end = end;
  return scene;
}

// m/s: the mean speed of the bar along the tank in every beat of a third of a second.
std::vector<double> speeds(const Scene& scene) {
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  std::vector<double> found;
  double from = 0;
  while (world.clock.frame < scene.time.frames) {
    double x = 0;
    advance_frame(scene, world, work, [&](const StepReport& r) { x = r.bodies[0].center.x(); });
    if (world.clock.frame % 8 == 0) found.push_back(3 * (x - from)), from = x;
  }
  return found;
}

TEST(Swimming, a_wave_the_other_way_swims_the_other_way_and_a_bar_whose_muscles_stop_coasts) {
  const std::vector<double> right = speeds(full_tank(-1, 1e30)), left = speeds(full_tank(1, 1e30)),
                            stopped = speeds(full_tank(-1, 2.0 / 3));
  ASSERT_EQ(right.size(), 4u);
  for (std::size_t beat = 0; beat < 4; ++beat) {
    EXPECT_GT(right[beat], 0.01) << beat;
    // Mirror images, but for the order of cells where the program must choose (validation/swimmer.cpp).
    EXPECT_NEAR(left[beat], -right[beat], 0.05 * right[beat]) << beat;
  }
  // The muscles stop after two beats. Nothing pushes the bar then, and nothing but its wake and the grid slows it.
  const double gain = right[2] - right[1], loss = stopped[2] - stopped[3];
  EXPECT_LT(stopped[2], stopped[1]);
  EXPECT_GT(loss, 0);
  EXPECT_LT(loss, 0.5 * gain);
  EXPECT_GT(stopped[3], 0);
}

}  // namespace
}  // namespace coracle
