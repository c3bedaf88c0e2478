#include "coracle/world/surface.h"

#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world/build.h"
#include "made_bodies.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const Vec3 middle(0.5, 0.5, 0.5);

Body rope() { return rod_body(line_mesh({middle, middle + Vec3(0.3, 0, 0)}, 0.1), 0.02, "rope"); }
Body cloth() { return shell_body(rectangle_mesh(middle, Vec3(0.4, 0, 0), Vec3(0, 0.3, 0), 0.1), 0.01, "cloth"); }
Body stone() { return rigid_body(sphere_mesh(middle, 0.3, 0.1), "stone"); }

TEST(Surfaces, only_what_has_an_inside_cuts_the_grid_and_each_surface_knows_its_body) {
  World world;
  Scene scene;
  scene.solids.emplace_back().name = "post";
  world.solids = build_solids(scene);
  world.bodies = {rope(), stone(), cloth(), stone()};
  const Surfaces surfaces(world);
  ASSERT_EQ(surfaces.size(), 3u);
  EXPECT_EQ(surfaces[0].body, -1);
  EXPECT_EQ(surfaces[1].body, 1);
  EXPECT_EQ(surfaces[2].body, 3);
  EXPECT_EQ(surfaces[2].x.data(), world.bodies[3].x.data());
}

TEST(Surfaces, a_body_that_the_fluid_does_not_feel_is_named) {
  const Grid grid{.origin = Vec3::Zero(), .dx = 0.1, .n = Vec3i::Constant(10)};
  const std::vector<std::string> words = thin_bodies(grid, {rope(), stone()}, "liquid");
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0], "the body 'rope' has no volume: it neither feels nor disturbs the liquid");
}

}  // namespace
}  // namespace coracle
