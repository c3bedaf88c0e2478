// Rods in a fluid on a grid: they neither feel nor disturb it.
#include "../../scene/half_full.h"
#include "../../world/made_bodies.h"
#include "coracle/shape/thin_meshes.h"
#include "coracle/step/advance.h"
#include "coracle/step/liquid/liquid_page.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

Scene water() {
  Scene scene = half_full(8);
  scene.contact.kind = ContactKind::none;
  scene.time.max_dt = 0.01;
  scene.time.frames = 100;
  return scene;
}

Body rope(double height) { return rod_body(line_mesh({{0.3, height, 0.5}, {0.5, height + 0.15, 0.5}}, 0.1), 0.02); }
constexpr double under_water = 0.2, above_water = 0.7;

World after_three_steps(const std::vector<Body>& bodies) {
  const Scene scene = water();
  World world = build_world(scene);
  world.bodies = bodies;
  Workspace work;
  start(scene, world, work);
  for (int i = 0; i < 3; ++i) {
    const StepReport report =
        step(scene, world, liquid_of(world), work.step, std::get<LiquidWork>(work.fluid), scene.time.max_dt);
    EXPECT_EQ(report.trouble, "");
  }
  const FrameLayers shown = frame_layers(scene, world, work);
  for (std::size_t b = 0; b < shown.skin_pressure.size(); ++b)
    EXPECT_EQ(shown.skin_pressure[b], std::vector<double>(world.bodies[b].x.size(), 0.0)) << "no fluid presses on it";
  return world;
}

TEST(RodsInFluid, water_moves_as_if_there_were_no_rope) {
  World alone = after_three_steps({}), with = after_three_steps({rope(under_water)});
  const std::vector<Vec3>&expected = liquid_of(alone).particles.x, &found = liquid_of(with).particles.x;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_LT((found[i] - expected[i]).norm(), 1e-9);
}

TEST(RodsInFluid, a_rope_falls_in_water_as_in_air) {
  const World world = after_three_steps({rope(under_water), rope(above_water)});
  const Body &wet = world.bodies[0], &dry = world.bodies[1];
  for (std::size_t i = 0; i < wet.x.size(); ++i) {
    EXPECT_LT(wet.v[i].y(), -0.1);
    EXPECT_LT((wet.v[i] - dry.v[i]).norm(), 1e-9);
    EXPECT_LT((wet.x[i] - dry.x[i] - (under_water - above_water) * Vec3::UnitY()).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace coracle
