#include "coracle/world/motion.h"

#include "coracle/shape/character.h"
#include "tests/shape/characters.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <numbers>

namespace coracle {
namespace {

const std::vector<Vec3> rest = {{0, 0, 0}, {1, 0, 0}, {0.3, -0.4, 2}};

MotionOptions shift() {
  MotionOptions m;
  m.kind = MotionKind::velocity;
  m.velocity = {1, -2, 0.5};
  m.start = 0.5;
  m.end = 2;
  return m;
}
MotionOptions turn() {
  MotionOptions m;
  m.kind = MotionKind::rotation;
  m.axis = {1, 2, 3};
  m.pivot = {0.2, 0.1, 0};
  m.rate = 2;
  return m;
}
MotionOptions swing() {
  MotionOptions m;
  m.kind = MotionKind::oscillation;
  m.amplitude = {0.1, 0.2, 0};
  m.frequency = 1.5;
  m.phase = 0.7;
  m.start = 0.25;
  return m;
}
MotionOptions keys() {
  MotionOptions m;
  m.kind = MotionKind::keyframes;
  m.times = {0.5, 1, 2.5};
  m.offsets = {{0, 0, 0}, {1, 0, 0}, {1, 3, 0}};
  m.angles = {0, 1, -1};
  m.pivot = {0, 0.5, 0};
  return m;
}

struct State {
  std::vector<Vec3> x, v;
};
State at(const std::vector<MotionOptions>& motions, double time) {
  State s;
  apply_motions(motions, time, rest, s.x, s.v);
  return s;
}

TEST(Motion, velocities_are_the_time_derivatives_of_positions) {
  const std::vector<std::vector<MotionOptions>> cases = {
      {shift()}, {turn()}, {swing()}, {keys()}, {turn(), shift()}, {shift(), turn(), swing(), keys(), turn()}};
  const double h = 1e-5;  // central differences: error h² x‴/6 and 1e-16/h, both below 1e-8
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (const double t : {0.1, 0.3, 0.7, 1.3, 2.2, 3.1}) {  // away from kinks
      const State now = at(cases[c], t), before = at(cases[c], t - h), after = at(cases[c], t + h);
      for (std::size_t i = 0; i < rest.size(); ++i)
        EXPECT_LT((now.v[i] - (after.x[i] - before.x[i]) / (2 * h)).norm(), 1e-6) << "case " << c << ", t = " << t;
    }
}

TEST(Motion, a_solid_starts_where_it_was_placed) {
  for (const MotionOptions& m : {shift(), turn(), swing(), keys()}) EXPECT_EQ(at({m}, 0).x, rest);
}

TEST(Motion, before_start_and_after_end_a_solid_rests) {
  const std::vector<Vec3> still(rest.size(), Vec3::Zero());
  EXPECT_EQ(at({shift()}, 0.4).v, still);
  EXPECT_EQ(at({shift()}, 2).v, still);
  EXPECT_LT((at({shift()}, 9).x[0] - 1.5 * Vec3(1, -2, 0.5)).norm(), 1e-14);
  EXPECT_EQ(at({keys()}, 0.4).v, still);
  EXPECT_EQ(at({keys()}, 3).v, still);
}

TEST(Motion, at_a_kink_the_velocity_is_the_one_to_come) {
  EXPECT_EQ(at({shift()}, 0.5).v[0], Vec3(1, -2, 0.5));
  MotionOptions m = keys();
  m.angles.clear();
  EXPECT_LT((at({m}, 1).v[0] - Vec3(0, 2, 0)).norm(), 1e-14);
}

TEST(Motion, rotation_keeps_distances_and_comes_round) {
  MotionOptions m = turn();
  const State half = at({m}, 0.4), full = at({m}, std::numbers::pi);
  EXPECT_NEAR((half.x[1] - half.x[2]).norm(), (rest[1] - rest[2]).norm(), 1e-14);
  for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_LT((full.x[i] - rest[i]).norm(), 1e-14);
}

TEST(Motion, later_motions_carry_earlier_ones_along) {
  // First along x, then a quarter turn about z: the motion is seen along y.
  MotionOptions along, about;
  along.velocity = {1, 0, 0};
  about.kind = MotionKind::rotation;
  about.axis = {0, 0, 1};
  about.rate = std::numbers::pi / 2;
  const State s = at({along, about}, 1);
  EXPECT_LT((s.x[0] - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((s.v[0] - Vec3(-std::numbers::pi / 2, 1, 0)).norm(), 1e-14);
}

TEST(Motion, motions_come_after_the_animation_and_velocities_are_derivatives_of_both) {
  Solid solid;
  const auto character = std::make_shared<const Character>(arm());
  solid.character = character;
  solid.rest = std::shared_ptr<const TriMesh>(character, &character->rest);
  MotionOptions spin, drift;
  spin.kind = MotionKind::rotation, spin.axis = Vec3(1, 2, 0), spin.pivot = Vec3(0.1, 0, 0.2), spin.rate = 3;
  drift.velocity = Vec3(0.3, 0, -1);
  solid.motions = {spin, drift};
  const double h = 1e-5;
  for (const double time : {0.3, 1.2, 2.7}) {
    std::vector<Vec3> before, now, after, v, unused;
    std::vector<Mat3> frames, still;
    solid_at(solid, time - h, before, unused);
    solid_at(solid, time + h, after, unused);
    solid_at(solid, time, now, v, frames);
    pose(*solid.character, solid.playback, time, unused, unused, still);
    const Mat3 turn = frames[0] * still[0].inverse();
    EXPECT_LT((turn - Eigen::AngleAxisd(3 * time, Vec3(1, 2, 0).normalized()).toRotationMatrix()).norm(), 1e-13);
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_LT((v[i] - (after[i] - before[i]) / (2 * h)).norm(), 1e-8);
      EXPECT_LT((frames[i] - turn * still[i]).norm(), 1e-13);
    }
  }
}

}  // namespace
}  // namespace coracle
