#include "coracle/shape/character.h"

#include "tests/shape/characters.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

struct State {
  std::vector<Vec3> x, v;
  std::vector<Mat3> frames;
};
State at(const Character& character, double time, const Playback& playback = {}) {
  State s;
  pose(character, playback, time, s.x, s.v, s.frames);
  return s;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

// The rest mesh as it turns about an oblique axis and shifts, as a sequence.
Character turning_sequence() {
  Character c;
  c.rest = arm().rest;
  c.clip = {"", 1, {}};
  for (int i = 0; i < 5; ++i) {
    const Mat3 turn = Eigen::AngleAxisd(0.4 * i, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    c.shots.emplace_back();
    for (const Vec3& x : c.rest.x) c.shots.back().push_back(turn * x + i * Vec3(0.1, 0, -0.2));
  }
  return c;
}

TEST(Character, velocities_are_the_time_derivatives_of_positions) {
  const double h = 1e-5;  // central differences: error h² x‴/6 and 1e-16/h, both below 1e-8
  std::vector<Character> cases = {arm(Interpolation::linear), arm(Interpolation::step), arm(Interpolation::cubic),
                                  turning_sequence()};
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (const double time : {0.2, 0.6, 1.3, 1.9}) {
      const Playback playback{.start = 0.03, .speed = 0.45, .loop = c == 1};
      const State before = at(cases[c], time - h, playback), now = at(cases[c], time, playback),
                  after = at(cases[c], time + h, playback);
      for (std::size_t i = 0; i < now.x.size(); ++i)
        EXPECT_LT((now.v[i] - (after.x[i] - before.x[i]) / (2 * h)).norm(), 1e-8) << c << " at " << time;
    }
}

TEST(Character, velocities_at_a_key_are_those_just_after_it) {
  const double h = 1e-7;
  for (const Interpolation way : {Interpolation::linear, Interpolation::step, Interpolation::cubic})
    for (const double key : {0.0, 0.75}) {
      const State now = at(arm(way), key), after = at(arm(way), key + h);
      for (std::size_t i = 0; i < now.x.size(); ++i)
        EXPECT_LT((now.v[i] - (after.x[i] - now.x[i]) / h).norm(), 1e-5);  // h ẍ/2, and 1e-16/h
    }
}

TEST(Character, a_skin_on_one_bone_moves_as_a_rigid_body) {
  Character stiff = arm();
  stiff.clip.tracks.pop_back();  // the elbow
  for (const double time : {0.0, 0.3, 1.1, 2.5}) {
    const State s = at(stiff, time);
    const Mat3& turn = s.frames[0];
    EXPECT_LT((turn.transpose() * turn - Mat3::Identity()).norm(), 1e-14);
    EXPECT_GT(turn.determinant(), 0);
    for (std::size_t i = 1; i < s.x.size(); ++i) {
      EXPECT_LT((s.frames[i] - turn).norm(), 1e-14);
      EXPECT_LT((s.x[i] - s.x[0] - turn * (stiff.rest.x[i] - stiff.rest.x[0])).norm(), 1e-14);
      EXPECT_LT(std::abs((s.v[i] - s.v[0]).dot(s.x[i] - s.x[0])), 1e-14);  // distances stay
    }
  }
}

TEST(Character, linear_rotations_turn_the_short_way_at_a_constant_rate) {
  Character stiff = arm();
  stiff.clip.tracks = {
      {.bone = 0,
       .translation = {Interpolation::linear, {0}, {Eigen::Vector4d::Zero()}},
       .rotation = {Interpolation::linear, {0, 1}, {turn_about(Vec3::UnitX(), 0), -turn_about(Vec3::UnitX(), 3)}},
       .scale = {Interpolation::linear, {0}, {Eigen::Vector4d::Ones()}}}};
  stiff.clip.length = 1;
  for (const double time : {0.0, 0.1, 0.5, 0.9}) {
    const State s = at(stiff, time);
    EXPECT_LT((s.frames[0] - Eigen::AngleAxisd(3 * time, Vec3::UnitX()).toRotationMatrix()).norm(), 1e-14);
    for (std::size_t i = 0; i < s.x.size(); ++i) EXPECT_LT((s.v[i] - Vec3(3, 0, 0).cross(s.x[i])).norm(), 1e-14);
  }
}

TEST(Character, frames_are_the_change_of_the_skin_around_a_vertex) {
  // Where all weights around a vertex are its own, F maps the edges there.
  const Character c = arm();
  const State s = at(c, 0.4);
  int seen = 0;
  for (const Vec3i& t : c.rest.tris) {
    if (c.rest.x[t[0]].y() > 0.29 || c.rest.x[t[1]].y() > 0.29) continue;
    EXPECT_LT((s.x[t[1]] - s.x[t[0]] - s.frames[t[0]] * (c.rest.x[t[1]] - c.rest.x[t[0]])).norm(), 1e-14);
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

TEST(Character, a_sequence_that_turns_has_its_turn_as_frames) {
  const Character c = turning_sequence();
  for (int i = 0; i < 5; ++i) {
    const Mat3 turn = Eigen::AngleAxisd(0.4 * i, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (const Mat3& frame : at(c, 0.25 * i).frames) EXPECT_LT((frame - turn).norm(), 1e-12);
  }
}

TEST(Character, a_sequence_is_linear_in_time) {
  const Character c = turning_sequence();
  const State a = at(c, 0.25), middle = at(c, 0.35), b = at(c, 0.5);
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    EXPECT_LT((middle.x[i] - (0.6 * a.x[i] + 0.4 * b.x[i])).norm(), 1e-14);
    EXPECT_LT((middle.v[i] - (b.x[i] - a.x[i]) / 0.25).norm(), 1e-13);
  }
}

TEST(Character, a_clip_starts_runs_and_ends_as_asked) {
  for (const Character& c : {arm(), turning_sequence()}) {
    const double length = c.clip.length;
    const auto same = [&](const State& a, const State& b, double rate) {
      EXPECT_LT(largest_difference(a.x, b.x), 1e-13);
      for (std::size_t i = 0; i < a.v.size(); ++i) EXPECT_LT((a.v[i] - rate * b.v[i]).norm(), 1e-12);
    };
    same(at(c, 0.2, {.start = 0.3, .speed = 2}), at(c, 0.7), 2);
    same(at(c, 0.1 + 3 * length, {.loop = true}), at(c, 0.1), 1);
    same(at(c, 0.2, {.start = -0.4}), at(c, 0), 0);  // it waits
    same(at(c, 0.6, {.start = -0.4}), at(c, 0.2), 1);
    same(at(c, length + 1), at(c, length), 0);  // it stays in its last pose
    same(at(c, length, {}), at(c, length), 0);
    same(at(c, 1, {.start = 0.2, .speed = 0}), at(c, 0.2), 0);
    EXPECT_LT(largest_difference(at(c, length).x, at(c, length - 1e-9).x), 1e-7);
  }
}

TEST(Character, scale_rotation_and_shift_hold_for_the_whole_clip) {
  const Mat3 turn = rotation_xyz(Vec3(20, -30, 75));
  const Vec3 shift(0.3, -2, 1);
  for (const Character& c : {arm(), turning_sequence()}) {
    Character placed = c;
    place(placed, 2.5, turn, shift);
    for (const double time : {0.0, 0.4, 0.9}) {
      const State a = at(c, time), b = at(placed, time);
      for (std::size_t i = 0; i < a.x.size(); ++i) {
        EXPECT_LT((b.x[i] - (shift + turn * (2.5 * a.x[i]))).norm(), 1e-13);
        EXPECT_LT((b.v[i] - turn * (2.5 * a.v[i])).norm(), 1e-12);
        EXPECT_LT((b.frames[i] - turn * a.frames[i] * turn.transpose()).norm(), 1e-12);
      }
    }
  }
}

TEST(Character, sampled_times_cover_the_part_of_the_clip_that_is_played) {
  const Character c = arm();
  EXPECT_EQ(sampled_times(c, {.start = 0.5, .speed = 2}, 4), (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(sampled_times(c, {.speed = 0}, 4), std::vector<double>{0});
  for (const double time : sampled_times(c, {.start = 1, .loop = true}, 9)) EXPECT_GE(time, 0);
}

}  // namespace
}  // namespace coracle
