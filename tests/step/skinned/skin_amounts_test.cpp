// How much liquid skins hold: what a scene puts on them at the start, and what probes and figures count.
#include "coracle/step/skinned/skin_amounts.h"
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// A ball over a pool, half of it in the pool or clear of it; with fur if that is given.
struct Ball {
  Scene scene;
  World world;
  Workspace work;

  Ball(double height, const std::string& skin)
      : scene(parse_scene(R"(
method = "skinned"
[domain]
max = [0.4, 0.4, 0.4]
resolution = 16
[[liquid.region]]
shape = "half_space"
point = [0, 0.1, 0]
[[probe]]
name = "upper"
type = "volume"
min = [0, 0.2, 0]
max = [0.4, 0.4, 0.4]
[[solid]]
name = "ball"
shape = "sphere"
radius = 0.08
center = [0.2, )" + std::to_string(height) +
                              ", 0.2]\n[solid.skin]\n" + skin,
                          "ball.toml")),
        world(build_world(scene)) {
    start(scene, world, work);
  }
  const Liquid& liquid() const { return liquid_of(world); }
  const SkinWork& skin() const { return std::get<LiquidWork>(work.fluid).skins[0]; }
  double area(double from) const {  // m², of the skin above this height
    double sum = 0;
    const Solid& ball = world.solids[0];
    for (std::size_t t = 0; t < ball.rest->tris.size(); ++t) {
      const Vec3i& n = ball.rest->tris[t];
      if ((ball.x[n[0]] + ball.x[n[1]] + ball.x[n[2]]).y() / 3 > from) sum += skin().frame.area[t];
    }
    return sum;
  }
};

TEST(SkinAmounts, a_skin_begins_with_the_film_that_the_scene_asks_for) {
  Ball ball(0.25, "film = 2e-4");
  double film = 0;
  for (const double v : ball.liquid().skins[0].film.volume) film += v;
  EXPECT_NEAR(film, 2e-4 * ball.area(0), 1e-12 * film);
  const StepReport r = advance_step(ball.scene, ball.world, ball.work);
  ASSERT_TRUE(r.ok);
  EXPECT_LE(std::abs(r.liquid().skinned->error), 1e-14 * r.liquid().skinned->total);
  EXPECT_EQ(r.liquid().skinned->held,
            r.liquid().skinned->tets + r.liquid().skinned->film + r.liquid().skinned->pendant);
}

TEST(SkinAmounts, no_film_begins_inside_the_bulk) {
  const Ball ball(0.1, "film = 2e-4");
  double film = 0;
  for (const double v : ball.liquid().skins[0].film.volume) film += v;
  const double cell = ball.liquid().grid.dx;
  EXPECT_LT(film, 2e-4 * ball.area(0.1));
  EXPECT_GT(film, 2e-4 * ball.area(0.1 + 1.5 * cell)) << "half a cell clear of a surface that errs by less than one";
}

TEST(SkinAmounts, the_pores_of_fur_begin_as_full_as_the_scene_asks_for) {
  const Ball ball(0.25, "fill = 0.3\nthickness = 0.02\nfur = {porosity = 0.8, along = 1e-8, across = 1e-8}");
  const SkinShell& shell = *ball.liquid().skins[0].shell;
  EXPECT_EQ(shell.thickness, 0.02);
  double held = 0, volume = 0;
  for (std::size_t t = 0; t < shell.tets.size(); ++t) {
    held += ball.liquid().skins[0].tets.volume[t];
    volume += shell.volume[t];
  }
  EXPECT_NEAR(held, 0.3 * 0.8 * volume, 1e-12 * volume);
}

TEST(SkinAmounts, a_probe_of_volume_counts_what_skins_hold_and_drops) {
  Ball ball(0.25, "film = 2e-4\nfill = 0.1");
  Liquid& liquid = liquid_of(ball.world);
  liquid.drops.add({0.05, 0.35, 0.05}, Vec3::Zero(), 1e-7);
  const std::vector<SkinWork>& skins = std::get<LiquidWork>(ball.work.fluid).skins;
  const auto in = [&](const Vec3& lo, const Vec3& hi) {
    return skinned_volume_in({.box = {lo, hi}, .pose = {}}, ball.world, liquid, skins);
  };
  const SkinnedReport all = measure_skins(liquid, 0, 0);
  EXPECT_NEAR(in(Vec3::Zero(), Vec3::Constant(0.4)), all.held + all.drops, 1e-12 * all.total);
  EXPECT_NEAR(in({0, 0.3, 0}, {0.1, 0.4, 0.1}), 1e-7, 1e-20) << "the drop alone";
  const double upper = in({0, 0.25, 0}, {0.4, 0.4, 0.4}) - 1e-7, lower = in(Vec3::Zero(), {0.4, 0.25, 0.4});
  EXPECT_NEAR(upper, lower, 0.02 * all.held) << "the ball is cut in halves";
  const StepReport r = advance_step(ball.scene, ball.world, ball.work);
  EXPECT_GT(r.probes.at(0), 0.5 * all.held) << "the bulk is lower";
}

}  // namespace
}  // namespace coracle
