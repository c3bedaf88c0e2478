#include "coracle/world/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

std::vector<MotionOptions> turning_and_rising() {
  MotionOptions turn, rise;
  turn.kind = MotionKind::rotation;
  turn.pivot = {1, 0, 0};
  turn.rate = std::numbers::pi / 2;  // a quarter turn about y per second
  rise.kind = MotionKind::velocity;
  rise.velocity = {0, 2, 0};
  return {turn, rise};
}

TEST(Pose, takes_points_along_and_back) {
  const Pose pose = pose_at(turning_and_rising(), 1);
  EXPECT_TRUE(pose({2, 0, 0}).isApprox(Vec3(1, 2, -1), 1e-12));
  EXPECT_TRUE(pose.back(pose({0.3, 0.4, 0.5})).isApprox(Vec3(0.3, 0.4, 0.5), 1e-12));
  EXPECT_EQ(pose_at({}, 7)({1, 2, 3}), Vec3(1, 2, 3));
}

TEST(PosedBox, shares_of_cubes_add_up_to_its_volume) {
  for (const double time : {0.0, 0.4, 1.0}) {
    const PosedBox box{{{0.1, 0, 0.2}, {0.63, 0.3, 0.71}}, pose_at(turning_and_rising(), time)};
    const double side = 0.1;
    double volume = 0;
    for (int i = -20; i < 30; ++i)
      for (int j = -5; j < 40; ++j)
        for (int k = -20; k < 30; ++k)
          volume += box.share_of_cube(side * Vec3(i + 0.5, j + 0.5, k + 0.5), side) * side * side * side;
    const double exact = 0.53 * 0.3 * 0.51;
    EXPECT_NEAR(volume, exact, time == 0 ? 1e-12 : 0.03 * exact) << time;  // turned boxes are sampled
  }
}

TEST(ClipLine, keeps_what_lies_inside) {
  const Bounds unit{Vec3::Zero(), Vec3::Ones()};
  Vec3 from(0.5, -1, 0.5), to(0.5, 3, 0.5);
  clip_line(unit, from, to);
  EXPECT_TRUE(from.isApprox(Vec3(0.5, 0, 0.5)));
  EXPECT_TRUE(to.isApprox(Vec3(0.5, 1, 0.5)));
  from = {2, 0, 0}, to = {2, 1, 0};
  clip_line(unit, from, to);
  EXPECT_EQ((to - from).norm(), 0);
}

}  // namespace
}  // namespace coracle
