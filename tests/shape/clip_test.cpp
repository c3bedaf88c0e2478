#include "coracle/shape/clip.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

std::vector<Piece> clip(const std::array<Vec3, 3>& t, const Vec3i& n, double side = 1) {
  std::vector<Piece> pieces;
  clip_to_cells(t, n, side, [&](const Piece& p) { pieces.push_back(p); });
  return pieces;
}

Vec3 area_of(const std::array<Vec3, 3>& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }

TEST(Clip, pieces_add_up_to_the_triangle_and_lie_in_their_cells) {
  const Vec3i n(6, 5, 7);
  for (std::uint64_t key = 0; key < 300; ++key) {
    std::array<Vec3, 3> t;
    for (int c = 0; c < 3; ++c)
      t[c] = 12 * Vec3(uniform(key, 3 * c), uniform(key, 3 * c + 1), uniform(key, 3 * c + 2)) - Vec3::Constant(3);
    Vec3 area = Vec3::Zero(), moment = Vec3::Zero();
    for (const Piece& p : clip(t, n)) {
      area += p.area;
      moment += p.area.norm() * p.center;
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(p.center[a], p.cell[a] == -1 ? -1e9 : p.cell[a] - 1e-9);
        EXPECT_LE(p.center[a], p.cell[a] == n[a] ? 1e9 : p.cell[a] + 1 + 1e-9);
      }
    }
    EXPECT_LT((area - area_of(t)).norm(), 1e-12);
    EXPECT_LT((moment / area.norm() - (t[0] + t[1] + t[2]) / 3).norm(), 1e-10);
  }
}

TEST(Clip, a_triangle_in_a_grid_plane_is_counted_once_on_the_side_it_faces) {
  const std::array<Vec3, 3> t{Vec3(2, 1.2, 1.1), Vec3(2, 1.8, 1.1), Vec3(2, 1.2, 1.9)};  // normal +x
  const auto forward = clip(t, Vec3i(4, 4, 4)), backward = clip(t, Vec3i(4, 4, 4), -1);
  ASSERT_EQ(forward.size(), 1u);
  EXPECT_EQ(forward[0].cell, Vec3i(2, 1, 1));
  ASSERT_EQ(backward.size(), 1u);
  EXPECT_EQ(backward[0].cell, Vec3i(1, 1, 1));
}

}  // namespace
}  // namespace coracle
