// A step that fails leaves the world as it was, whichever stage fails.
#include "coracle/error.h"
#include "coracle/step/advance.h"
#include "coracle/world/archive.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

#include <ostream>

namespace coracle {
namespace {

struct Case {
  const char* name;
  std::string toml;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::string body = R"(
[[body]]
name = "block"
mesh = "grid6"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.3, 0.2, 0.3]
cells = [2, 2, 2]
young = 1e4
damping_stiffness = 1e-3
velocity = [0.2, 0, 0]
)";

const std::string paddle = R"(
[[solid]]
name = "paddle"
shape = "box"
center = [0.2, 0.3, 0.5]
size = [0.1, 0.3, 0.3]
[[solid.motion]]
type = "rotation"
axis = [0, 1, 0]
pivot = [0.3, 0.3, 0.5]
rate = 2
)";

std::string liquid(const std::string& method, const std::string& advection, const std::string& things = body + paddle) {
  return "method = \"" + method + "\"\n[domain]\nresolution = 12\n[time]\nframes = 4\n[liquid]\nadvection = \"" +
         advection + R"("
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.55, 1]
velocity = [0.3, 0, 0.1]
[[inflow]]
name = "tap"
shape = "box"
min = [0.4, 0.8, 0.4]
max = [0.6, 0.95, 0.6]
velocity = [0, -1, 0]
[[outflow]]
name = "drain"
shape = "box"
min = [0.9, 0, 0.9]
max = [1, 0.2, 1]
)" + things;
}

// A stream on a ball that spins, and a furry ball that begins wet and dips into a pool.
std::string skins() {
  return R"(
method = "skinned"
[domain]
max = [0.4, 0.4, 0.4]
resolution = 16
[[liquid.region]]
shape = "half_space"
point = [0, 0.1, 0]
[[inflow]]
shape = "box"
min = [0.18, 0.34, 0.18]
max = [0.22, 0.4, 0.22]
velocity = [0, -2, 0]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.2, 0.22, 0.2]
radius = 0.08
[[solid.motion]]
type = "rotation"
axis = [0, 1, 0]
pivot = [0.2, 0.22, 0.2]
rate = 20
[solid.skin]
film = 5e-4
[[solid]]
name = "fur"
shape = "sphere"
center = [0.07, 0.14, 0.3]
radius = 0.05
[[solid.motion]]
type = "oscillation"
amplitude = [0, 0.03, 0]
frequency = 5
[solid.skin]
film = 1e-4
fill = 0.4
fur = {porosity = 0.9, along = 1e-8, across = 5e-9, residual = 0.1}
)";
}

std::string gas(const std::string& method) {
  return "method = \"" + method + R"("
[domain]
resolution = 12
open = ["y_max"]
[time]
frames = 4
[gas]
confinement = 0.2
smoke_decay = 0.1
[[jet]]
name = "nozzle"
shape = "box"
min = [0.4, 0.1, 0.4]
max = [0.6, 0.2, 0.6]
velocity = [0, 1, 0]
noise = 0.1
)" + body +
         paddle;
}

std::string dry() { return "[domain]\nresolution = 12\n[time]\nframes = 4\n" + body + paddle; }

std::vector<Case> cases() {
  return {{"apic", liquid("cutcell", "apic")},
          {"flip", liquid("cutcell", "flip")},
          {"semi_lagrangian", liquid("cutcell", "semi_lagrangian")},
          {"whole_faces", liquid("simultaneous", "apic")},
          {"smoothed_particles", liquid("proxy", "apic", "")},
          {"skins", skins()},
          {"gas", gas("cutcell")},
          {"gas_whole_faces", gas("simultaneous")},
          {"dry", dry()}};
}

std::string solid_difference(const World& a, const World& b) {
  for (std::size_t s = 0; s < a.solids.size(); ++s) {
    const Solid &p = a.solids[s], &q = b.solids[s];
    if (p.x != q.x || p.v != q.v || p.flow != q.flow || p.present != q.present) return p.name;
  }
  return "";
}

class Rollback : public testing::TestWithParam<Case> {};

TEST_P(Rollback, a_step_that_fails_after_any_stage_leaves_the_world_bit_for_bit) {
  const Scene scene = parse_scene(GetParam().toml, "rollback.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  StepReport report;
  for (int i = 0; i < 3; ++i) report = advance_step(scene, world, work);
  const std::vector<std::pair<std::string, double>> stages = report.stages.seconds();
  ASSERT_GE(stages.size(), 3u);
  const World before = world;
  for (const auto& [stage, seconds] : stages) {
    work.step.fail_after = stage;
    EXPECT_THROW(advance_step(scene, world, work), RunError) << stage;
    EXPECT_EQ(first_difference(before, world), "") << stage;
    EXPECT_EQ(solid_difference(before, world), "") << stage;
  }

  // And what follows is what would have followed.
  work.step.fail_after.clear();
  World twin = before;
  Workspace twin_work;
  derive(scene, twin, twin_work);
  EXPECT_EQ(first_difference(before, twin), "");
  for (int i = 0; i < 2; ++i) {
    advance_step(scene, world, work);
    advance_step(scene, twin, twin_work);
    EXPECT_EQ(first_difference(world, twin), "");
  }
}

TEST_P(Rollback, the_first_step_leaves_the_start_bit_for_bit) {
  const Scene scene = parse_scene(GetParam().toml, "rollback.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  const World before = world;
  work.step.fail_after = "measure";
  EXPECT_THROW(advance_step(scene, world, work), RunError);
  EXPECT_EQ(first_difference(before, world), "");
  EXPECT_EQ(solid_difference(before, world), "");
}

// The page of liquid stays the page of liquid when the last particle has left.
TEST(EmptyTank, bodies_fall_on_when_all_liquid_has_drained) {
  const Scene scene = parse_scene(R"(
[domain]
resolution = 12
[time]
frames = 3
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.2, 1]
[[outflow]]
name = "drain"
shape = "box"
min = [0, 0, 0]
max = [1, 0.5, 1]
)" + body,
                                  "tank.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  const double g = 9.81, start_height = world.bodies[0].x[0].y();
  StepReport report;
  while (world.clock.frame < scene.time.frames) report = advance_step(scene, world, work);
  EXPECT_EQ(liquid_of(world).particles.size(), 0u);
  EXPECT_EQ(report.liquid().volume, 0);
  // Backward Euler falls by g t (t + dt) / 2: between the exact distance and one more step's.
  const double fallen = start_height - world.bodies[0].x[0].y(), t = world.clock.time;
  EXPECT_GE(fallen, 0.5 * g * t * t * 0.99);
  EXPECT_LE(fallen, 0.5 * g * t * (t + 1 / 24.0) * 1.01);
}

INSTANTIATE_TEST_SUITE_P(Pages, Rollback, testing::ValuesIn(cases()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coracle
