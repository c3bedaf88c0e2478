#include "coracle/world/animation_warnings.h"

#include "tests/shape/characters.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

Solid animated(Character character, const Playback& playback = {}) {
  const auto shared = std::make_shared<const Character>(std::move(character));
  Solid solid;
  solid.name = "arm";
  solid.character = shared;
  solid.rest = std::shared_ptr<const TriMesh>(shared, &shared->rest);
  solid.playback = playback;
  solid.moving = true;
  return solid;
}

Scene around() {
  Scene scene;
  scene.domain.min = Vec3::Constant(-2), scene.domain.max = Vec3::Constant(2);
  return scene;
}

Track turning(int bone, double offset, double angle) {
  return {.bone = bone,
          .translation = {Interpolation::linear, {0}, {{0, offset, 0, 0}}},
          .rotation = {Interpolation::linear,
                       {0, 1, 2},
                       {turn_about(Vec3::UnitX(), 0), turn_about(Vec3::UnitX(), angle / 2),
                        turn_about(Vec3::UnitX(), angle)}},
          .scale = {Interpolation::linear, {0}, {{1, 1, 1, 0}}}};
}

TEST(AnimationWarnings, a_gentle_clip_has_none) {
  Character arm_bends = arm();
  arm_bends.clip.tracks = {turning(1, 0.5, 0.6)};
  EXPECT_TRUE(animation_warnings(around(), {animated(arm_bends)}).empty());
}

TEST(AnimationWarnings, an_elbow_that_folds_too_far_passes_through_itself) {
  Character folded = arm();
  folded.clip.tracks = {turning(1, 0.5, 3.1)};
  const std::vector<std::string> words = animation_warnings(around(), {animated(folded)});
  ASSERT_EQ(words.size(), 1u);
  EXPECT_NE(words[0].find("'arm' passes through itself, most at 2 s"), std::string::npos) << words[0];
  Scene brief = around();
  brief.time.frames = 6;  // it has not folded yet
  EXPECT_TRUE(animation_warnings(brief, {animated(folded)}).empty());
}

TEST(AnimationWarnings, leaving_the_domain_is_told_with_time_and_reach) {
  Solid solid = animated(arm());
  MotionOptions motion;
  motion.velocity = Vec3(1, 0, 0);
  solid.motions = {motion};
  Scene scene = around();
  scene.time.frames = 72, scene.time.fps = 24;
  solid.character = animated([] {
                      Character c = arm();
                      c.clip.tracks.clear();
                      return c;
                    }())
                        .character;
  const std::vector<std::string> words = animation_warnings(scene, {solid});
  ASSERT_EQ(words.size(), 1u);
  // Its rest reaches x = 0.15 m; after 3 s it is 3 m further.
  EXPECT_NE(words[0].find("leaves the domain: at 3 s it reaches 1.15 m beyond it"), std::string::npos) << words[0];
}

TEST(AnimationWarnings, a_loop_whose_ends_differ_jumps) {
  Character arm_bends = arm();
  arm_bends.clip.tracks = {turning(1, 0.5, 0.6)};
  const std::vector<std::string> words = animation_warnings(around(), {animated(arm_bends, {.loop = true})});
  ASSERT_EQ(words.size(), 1u);
  EXPECT_NE(words[0].find("jumps by"), std::string::npos);
}

}  // namespace
}  // namespace coracle
