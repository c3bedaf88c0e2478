// The distance between surfaces that are known in closed form.
#include "coracle/shape/surface_distance.h"

#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

TriMesh moved(TriMesh mesh, const Vec3& by) {
  for (Vec3& x : mesh.x) x += by;
  return mesh;
}

// Two triangles that span the unit square at height y, cut nowhere.
TriMesh square(double y) { return {{{0, y, 0}, {1, y, 0}, {1, y, 1}, {0, y, 1}}, {{0, 2, 1}, {0, 3, 2}}}; }

TEST(SurfaceDistance, parallel_squares_are_as_far_apart_as_their_planes) {
  const SurfaceDistance d = surface_distance(square(0.3), square(0.55), 0.1);
  EXPECT_NEAR(d.largest, 0.25, 1e-14);
  EXPECT_NEAR(d.mean, 0.25, 1e-14);
  EXPECT_NEAR(d.rms, 0.25, 1e-14);
  EXPECT_NEAR(d.between, 0.25, 1e-14) << "of a box of 1 × 0.25 × 1";
}

TEST(SurfaceDistance, a_tilted_square_has_the_mean_and_the_rms_of_a_linear_height) {
  // Its height h grows from 0 to 0.2 along x. A point of it is h away from the flat square below, and a point of that
  // h cos α away from it; all these feet lie within the squares.
  TriMesh tilted = square(0);
  tilted.x[1].y() = tilted.x[2].y() = 0.2;
  const SurfaceDistance d = surface_distance(tilted, square(0), 0.05);
  EXPECT_NEAR(d.largest, 0.2, 1e-14) << "at the upper side";
  const double length = std::hypot(1, 0.2);                // 1 / cos α
  const double there = length * 0.1, back = 0.1 / length;  // ∫ h dA, ∫ h cos α dA
  EXPECT_NEAR(d.mean, (there + back) / (length + 1), 1e-12);
  EXPECT_NEAR(d.between, (there + back) / 2, 1e-12);
  const double there2 = length * 0.04 / 3, back2 = 0.04 / 3 / (length * length);
  EXPECT_NEAR(d.rms, std::sqrt((there2 + back2) / (length + 1)), 1e-12) << "squares are integrated exactly, too";
}

TEST(SurfaceDistance, a_moved_body_is_nowhere_farther_than_its_way) {
  const double edge = 0.05, radius = 0.3, tilt = edge / std::sqrt(3) / radius;  // of a facet at most, in its corners
  const TriMesh ball = sphere_mesh({0.5, 0.5, 0.5}, radius, edge);
  for (const double way : {1e-3, 0.02, 0.15}) {
    const SurfaceDistance d = surface_distance(ball, moved(ball, {way, 0, 0}), 0.02);
    EXPECT_LE(d.largest, way * (1 + 1e-12));
    EXPECT_GT(d.largest, std::cos(tilt) * way) << "at the poles the way is at right angles to the surface";
    EXPECT_LT(d.mean, d.rms);
    EXPECT_LT(d.rms, d.largest);
  }
  // To first order the distance is way · |cos θ|, whose mean over a sphere is 1/2, and whose mean square is 1/3.
  const double way = 1e-3;
  const SurfaceDistance d = surface_distance(ball, moved(ball, {way, 0, 0}), 0.02);
  EXPECT_NEAR(d.mean, way / 2, tilt * tilt * way);
  EXPECT_NEAR(d.rms, way / std::sqrt(3), tilt * tilt * way);
}

TEST(SurfaceDistance, balls_of_one_center_are_apart_by_their_radii_whatever_their_triangles) {
  const SurfaceDistance d =
      surface_distance(sphere_mesh({0, 0, 0}, 0.3, 0.02), sphere_mesh({0, 0, 0}, 0.4, 0.03), 0.02);
  const double sagitta = 0.03 * 0.03 / 3 / (2 * 0.4) + 0.02 * 0.02 / 3 / (2 * 0.3);  // of a facet: c² / 2 r
  EXPECT_NEAR(d.mean, 0.1, sagitta);
  EXPECT_NEAR(d.largest, 0.1, 2 * sagitta);
  const double sheets = 0.1 * 4 * M_PI * (0.09 + 0.16) / 2;  // the gap times the area of a sphere, mean of both
  EXPECT_NEAR(d.between, sheets, sheets * (sagitta / 0.1 + 2 * sagitta / 0.3)) << "errors of the gap and of the area";
}

TEST(SurfaceDistance, both_orders_give_the_same_bits) {
  const TriMesh ball = sphere_mesh({0.1, 0.2, 0.3}, 0.3, 0.07), box = box_mesh({0, 0, 0}, {0.3, 0.5, 0.4});
  const SurfaceDistance d = surface_distance(ball, box, 0.03), e = surface_distance(box, ball, 0.03);
  EXPECT_GT(d.largest, 0.1);
  EXPECT_EQ(d.largest, e.largest);
  EXPECT_EQ(d.mean, e.mean);
  EXPECT_EQ(d.rms, e.rms);
  EXPECT_EQ(d.between, e.between);
}

TEST(SurfaceDistance, the_middle_of_a_large_triangle_counts) {
  // A frame of four strips around a hole. The farthest point of the square is the middle of the hole, which is neither
  // a corner nor the centre of one of its two triangles.
  const double w = 0.05;
  TriMesh frame;
  frame.x = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {w, 0, w}, {1 - w, 0, w}, {1 - w, 0, 1 - w}, {w, 0, 1 - w}};
  for (int s = 0; s < 4; ++s) {
    const int next = (s + 1) % 4;
    frame.tris.emplace_back(s, next, 4 + s);
    frame.tris.emplace_back(next, 4 + next, 4 + s);
  }
  for (const double spacing : {0.3, 0.1, 0.017}) {
    const double largest = surface_distance(square(0), frame, spacing).largest;
    EXPECT_LE(largest, 0.5 - w + 1e-14);
    EXPECT_GE(largest, 0.5 - w - spacing / 2);
  }
  const double limit = std::hypot(1, 1) / 512;  // of the longest edge
  EXPECT_GE(surface_distance(square(0), frame, 1e-12).largest, 0.5 - w - limit / 2)
      << "cut into no more parts than that";
}

TEST(SurfaceDistance, a_surface_has_no_distance_from_itself) {
  const TriMesh ball = sphere_mesh({0.1, 0.2, 0.3}, 0.3, 0.07);
  EXPECT_LT(surface_distance(ball, ball, 0.03).largest, 1e-15) << "centres lie on their triangles to rounding";
}

}  // namespace
}  // namespace coracle
