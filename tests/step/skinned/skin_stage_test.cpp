// Liquid on skins as a stage of a run: nothing is lost, and the same bits come out however it runs.
#include "coracle/base/parallel.h"
#include "coracle/out/checkpoint.h"
#include "coracle/step/advance.h"
#include "coracle/world/archive.h"
#include "coracle/world/build.h"
#include "coracle/world/surface.h"
#include "tests/out/temporary_directory.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// A jet falls on a ball that spins and rises and falls, half of it in a pool.
const std::string scene_text = R"(
method = "skinned"
[domain]
max = [0.4, 0.4, 0.4]
resolution = 16
[time]
fps = 50
frames = 1000
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, 0.1, 0.4]
[[inflow]]
shape = "box"
min = [0.18, 0.36, 0.18]
max = [0.22, 0.4, 0.22]
velocity = [0, -2, 0]
[[outflow]]
shape = "box"
min = [0.34, 0, 0]
max = [0.4, 0.05, 0.4]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.2, 0.15, 0.2]
radius = 0.08
[[solid.motion]]
type = "rotation"
axis = [0, 1, 0.2]
pivot = [0.2, 0.15, 0.2]
rate = 20
[[solid.motion]]
type = "oscillation"
amplitude = [0, 0.04, 0]
frequency = 4
[solid.skin]
viscosity = 1e-5
)";

struct Spinning {
  Scene scene;
  World world;
  Workspace work;
  explicit Spinning(const std::string& text = scene_text)
      : scene(parse_scene(text, "skins.toml")), world(build_world(scene)) {
    start(scene, world, work);
  }
  StepReport step() { return advance_step(scene, world, work); }
};

// Beside it, a furry ball that begins wet.
const std::string two_skins = scene_text + R"(
[[solid]]
name = "fur"
shape = "sphere"
center = [0.08, 0.28, 0.3]
radius = 0.05
[solid.skin]
film = 1e-4
fill = 0.4
fur = {porosity = 0.9, along = 1e-8, across = 5e-9, residual = 0.1}
)";

TEST(SkinStage, keeps_all_liquid_and_every_tet_within_its_room) {
  Spinning run;
  double on_skin = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport r = run.step();
    ASSERT_TRUE(r.ok) << r.trouble;
    const SkinnedReport& s = *r.liquid().skinned;
    EXPECT_LE(std::abs(s.error), 1e-12 * s.total);
    on_skin = std::max(on_skin, s.tets + s.film);
    const WetSkin& skin = liquid_of(run.world).skins[0];
    const MovingShell& moving = std::get<LiquidWork>(run.work.fluid).skins[0].moving;
    for (std::size_t t = 0; t < skin.tets.volume.size(); ++t) {
      ASSERT_GE(skin.tets.volume[t], 0);
      ASSERT_LE(skin.tets.volume[t], moving.capacity[t] * (1 + 1e-13));
    }
    SurfaceTrees trees;
    trees.update(Surfaces(run.world.solids));
    for (const Vec3& x : liquid_of(run.world).drops.x) ASSERT_GT(trees.each[0].closest(x).distance, 0);
  }
  EXPECT_GT(on_skin, 1e-6) << "the case would be void without";
  EXPECT_GT(liquid_of(run.world).ledger.out, 0);
}

TEST(SkinStage, has_the_same_bits_on_one_thread_and_two) {
  const auto on = [](int threads) {
    const ThreadLimit limit(threads);
    Spinning run(two_skins);
    for (int i = 0; i < 25; ++i) run.step();
    return run.world;
  };
  EXPECT_EQ(first_difference(on(1), on(2)), "");
}

TEST(SkinStage, goes_on_from_a_checkpoint_bit_for_bit) {
  const TemporaryDirectory dir;
  Spinning run(two_skins);
  for (int i = 0; i < 20; ++i) run.step();
  World other = build_world(run.scene);
  read_checkpoint(write_checkpoint(dir.path, run.world), other);
  EXPECT_EQ(first_difference(run.world, other), "");
  Workspace work;
  derive(run.scene, other, work);
  for (int i = 0; i < 5; ++i) {
    run.step();
    advance_step(run.scene, other, work);
    EXPECT_EQ(first_difference(run.world, other), "");
  }
}

TEST(SkinStage, counts_what_a_skin_takes_out_of_an_inflow) {
  // The mouth of the jet lies in the shell of the ball.
  std::string text = scene_text;
  text.replace(text.find("min = [0.18, 0.36, 0.18]"), 24, "min = [0.18, 0.23, 0.18]");
  text.replace(text.find("max = [0.22, 0.4, 0.22]"), 23, "max = [0.22, 0.3, 0.22]");
  Spinning run(text);
  double held = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport r = run.step();
    ASSERT_TRUE(r.ok) << r.trouble;
    const SkinnedReport& s = *r.liquid().skinned;
    EXPECT_LE(std::abs(s.error), 1e-12 * s.total);
    held = std::max(held, s.held);
  }
  EXPECT_GT(held, 1e-6) << "the case would be void without";
}

TEST(SkinStage, leaves_no_film_where_a_skin_lies_in_another_solid) {
  Spinning run(R"(
method = "skinned"
[domain]
max = [0.4, 0.4, 0.4]
resolution = 20
[[liquid.region]]
shape = "half_space"
point = [0, 0.04, 0]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.2, 0.22, 0.2]
radius = 0.08
[solid.skin]
film = 5e-4
[[solid]]
name = "block"
shape = "box"
min = [0.1, 0.1, 0.1]
max = [0.3, 0.2, 0.3]
)");
  const auto inside = [&] {
    const Solid& ball = run.world.solids[0];
    double volume = 0;
    for (std::size_t t = 0; t < ball.rest->tris.size(); ++t) {
      const Vec3i& n = ball.rest->tris[t];
      const Vec3 x = (ball.x[n[0]] + ball.x[n[1]] + ball.x[n[2]]) / 3;
      const Film& film = liquid_of(run.world).skins[0].film;
      if (x.y() < 0.2 - 0.01 && x.y() > 0.1) volume += film.volume[t] + film.pendant[t];  // half a cell deep
    }
    for (const Vec3& x : liquid_of(run.world).drops.x)
      EXPECT_FALSE((x.array() > 0.101).all() && x.x() < 0.299 && x.z() < 0.299 && x.y() < 0.199) << x.transpose();
    return volume;
  };
  EXPECT_EQ(inside(), 0) << "at the start";
  for (int i = 0; i < 20; ++i) {
    const StepReport r = run.step();
    ASSERT_TRUE(r.ok) << r.trouble;
    EXPECT_EQ(inside(), 0) << i;
    EXPECT_LE(std::abs(r.liquid().skinned->error), 1e-12 * r.liquid().skinned->total);
  }
  EXPECT_GT(liquid_of(run.world).skins[0].film.volume.size(), 0u);
}

}  // namespace
}  // namespace coracle
