#include "coracle/step/skinned/moving_shell.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

TEST(MovingShell, areas_close_and_agree_with_volumes) {
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell, 0.1);
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    const Vec3 middle = centroid(shell, shell.x, t);
    Vec3 sum = Vec3::Zero();
    double three_volumes = 0;  // Σ A·x over faces, by the divergence theorem
    for (int f = 0; f < 4; ++f) {
      const Vec3 area = moving.face_area(t, f);
      sum += area;
      three_volumes += area.dot((4 * middle - shell.x[shell.tets[t][f]]) / 3);
    }
    EXPECT_LT(sum.norm(), 1e-17);
    EXPECT_NEAR(three_volumes / 3, shell.volume[t], 1e-16);
    EXPECT_NEAR(moving.capacity[t], 0.9 * shell.volume[t], 1e-17);
  }
}

TEST(MovingShell, is_as_fast_as_its_nodes_are_displaced) {
  const SkinShell& shell = ball_shell();
  std::vector<Vec3> x = shell.x;
  const Vec3 step(0.01, -0.02, 0.03);
  for (Vec3& p : x) p += step;
  MovingShell moving;
  move_shell(shell, shell.x, x, 0.02, 0, {}, moving);
  for (const Vec3& v : moving.v) EXPECT_LT((v - step / 0.02).norm(), 1e-13);
}

TEST(MovingShell, tets_that_are_flat_turned_over_or_in_a_solid_are_shut) {
  const SkinShell& shell = ball_shell();
  std::vector<Vec3> x = shell.x;
  for (Vec3& p : x) p.x() *= p.x() > 0 ? 0.04 : 1;  // one half flattened to 4 %
  MovingShell moving;
  move_shell(
      shell, shell.x, x, 1, 0, [](const Vec3& p) { return p.x() < -0.6; }, moving);
  int flat = 0, inside = 0, open = 0;
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    const Vec3 rest = centroid(shell, shell.x, t);
    const bool is_flat = rest.x() > 0.1, is_inside = rest.x() < -0.6, is_open = !is_inside && rest.x() < -0.1;
    if (is_flat || is_inside || is_open) {
      EXPECT_EQ(moving.shut(t), !is_open);
    }
    flat += is_flat, inside += is_inside, open += is_open;
  }
  EXPECT_GT(std::min({flat, inside, open}), 1000);
  for (Vec3& p : x) p = -p;
  move_shell(shell, shell.x, x, 1, 0, {}, moving);
  EXPECT_EQ(total(moving.capacity), 0) << "inside out";
}

}  // namespace
}  // namespace coracle
