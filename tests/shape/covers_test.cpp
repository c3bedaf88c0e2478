#include "coracle/shape/covers.h"

#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world/make_rods.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;

Paths paths_of(const LineMesh& line) { return rod_paths(line.segments, continuing_segments(line.x, line.segments)); }

double polygon_area(double radius, int sides) { return 0.5 * sides * std::sin(2 * pi / sides) * radius * radius; }

// Of both round ends: frusta between circles at 0, 30, 60 and 90 degrees.
double ends_volume(double radius, int sides) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = pi / 6 * k, high = pi / 6 * (k + 1), a = std::cos(low), b = std::cos(high);
    sum += (std::sin(high) - std::sin(low)) * radius * (a * a + a * b + b * b) / 3;
  }
  return 2 * polygon_area(radius, sides) * sum;
}

TEST(Covers, a_sheet_is_closed_and_has_the_volume_of_its_area_and_thickness) {
  TriMesh sheet = rectangle_mesh(Vec3(1, 2, 3), Vec3(0.4, 0, 0.1), Vec3(0, 0.3, 0), 0.07);
  const Cover cover = sheet_cover(sheet.x, sheet.tris, 0.01);
  EXPECT_EQ(closedness_problem(cover.mesh), "");
  EXPECT_NEAR(enclosed_volume(cover.mesh), Vec3(0.4, 0, 0.1).norm() * 0.3 * 0.01, 1e-12);
  for (std::size_t i = 0; i < cover.node.size(); ++i)
    EXPECT_NEAR((cover.mesh.x[i] - sheet.x[cover.node[i]]).norm(), 0.005, 1e-12);
}

TEST(Covers, a_closed_sheet_gets_an_inner_and_an_outer_side) {
  const TriMesh ball = sphere_mesh(Vec3::Zero(), 1, 0.1);
  const double t = 0.02;
  const Cover cover = sheet_cover(ball.x, ball.tris, t);
  EXPECT_EQ(closedness_problem(cover.mesh), "");
  EXPECT_EQ(cover.mesh.tris.size(), 2 * ball.tris.size()) << "no rim";
  const double shell = 4 * pi / 3 * (std::pow(1 + t / 2, 3) - std::pow(1 - t / 2, 3));
  EXPECT_NEAR(enclosed_volume(cover.mesh) / shell, 1, 0.005);  // facets of 0.1: (0.1)²/4 of the radius
}

TEST(Covers, both_sides_of_a_fold_keep_their_distance) {
  for (const double half : {0.3, 0.7, 1.0}) {  // half of the angle of the fold
    const std::vector<Vec3> x = {
        {0, 0, 0}, {0, 0, 1}, {std::cos(half), -std::sin(half), 0.5}, {-std::cos(half), -std::sin(half), 0.5}};
    const std::vector<Vec3i> tris = {{0, 1, 2}, {1, 0, 3}};
    const Cover cover = sheet_cover(x, tris, 0.1);
    for (const Vec3i& t : tris) {
      const Vec3 n = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
      for (const int v : t) EXPECT_NEAR(n.dot(cover.mesh.x[v] - x[v]), 0.05, 1e-12);
    }
  }
}

TEST(Covers, a_straight_tube_is_closed_and_has_its_volume) {
  const double radius = 0.05, length = 0.7;
  const LineMesh line = line_mesh({{0.1, 0.2, 0.3}, Vec3(0.1, 0.2, 0.3) + length * Vec3(1, 2, 2) / 3}, 0.1);
  for (const int sides : {4, 8, 64}) {
    const Cover cover = tube_cover(line.x, line.x, paths_of(line), radius, sides);
    EXPECT_EQ(closedness_problem(cover.mesh), "");
    const double expected = polygon_area(radius, sides) * length + ends_volume(radius, sides);
    EXPECT_NEAR(enclosed_volume(cover.mesh), expected, 1e-12);
  }
  EXPECT_NEAR(polygon_area(radius, 8) / (pi * radius * radius), 0.9003, 1e-4);
}

TEST(Covers, a_bent_tube_keeps_its_section) {
  const double radius = 0.02;
  const LineMesh line = line_mesh({{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {1.4, 0.8, 0.5}}, 2);  // bends of up to 90°
  const Cover cover = tube_cover(line.x, line.x, paths_of(line), radius);
  EXPECT_EQ(closedness_problem(cover.mesh), "");
  const double length = 1.5 + Vec3(0.4, 0.3, 0.5).norm();
  EXPECT_NEAR(enclosed_volume(cover.mesh), polygon_area(radius, 8) * length + ends_volume(radius, 8), 1e-12);
}

TEST(Covers, a_loop_is_closed_without_ends) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 40; ++i) {
    const double a = 2 * pi * (i % 40) / 40;
    points.emplace_back(std::cos(a), std::sin(a), 0.3 * std::sin(2 * a));  // not planar: the section comes back turned
  }
  const LineMesh line = line_mesh(points, 1);
  double length = 0;
  for (const auto& [a, b] : line.segments) length += (line.x[b] - line.x[a]).norm();
  const Cover cover = tube_cover(line.x, line.x, paths_of(line), 0.03);
  EXPECT_EQ(closedness_problem(cover.mesh), "");
  EXPECT_EQ(cover.mesh.x.size(), 8 * line.x.size());
  EXPECT_NEAR(enclosed_volume(cover.mesh) / (polygon_area(0.03, 8) * length), 1, 1e-3);  // sides twist by 1 degree
}

TEST(Covers, every_segment_of_a_net_is_in_one_tube) {
  const LineMesh net = net_mesh(Vec3::Zero(), Vec3(2, 0, 0), Vec3(0, 0, 1), 0.5, 0.1);
  const Paths paths = paths_of(net);
  std::set<std::pair<int, int>> covered;
  for (const std::vector<int>& path : paths)
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      EXPECT_TRUE(covered.insert(std::minmax(path[i], path[i + 1])).second);
  EXPECT_EQ(covered.size(), net.segments.size());
  // One path along the border, where the corners have two segments each; three ropes across and one along inside.
  EXPECT_EQ(paths.size(), 1u + 3u + 1u);
  EXPECT_EQ(closedness_problem(tube_cover(net.x, net.x, paths, 0.01).mesh), "");
}

TEST(Covers, a_tube_turns_with_its_rod_and_does_not_jump) {
  const LineMesh line = line_mesh({{0, 0, 0}, {1, 0, 0}, {1.5, 0.4, 0.2}}, 0.25);
  const Paths paths = paths_of(line);
  const Cover rest = tube_cover(line.x, line.x, paths, 0.05);
  // A small motion of the rod is a small motion of all points, also near directions that are special to an axis.
  for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 1, 1)}) {
    std::vector<Vec3> last = rest.mesh.x;
    for (int i = 1; i <= 150; ++i) {
      const Mat3 turn = Eigen::AngleAxisd(0.02 * i, axis.normalized()).toRotationMatrix();
      std::vector<Vec3> x;
      for (const Vec3& p : line.x) x.push_back(turn * p);
      const Cover cover = tube_cover(line.x, x, paths, 0.05);
      EXPECT_TRUE(cover.mesh.tris == rest.mesh.tris && cover.node == rest.node);
      double jump = 0;
      for (std::size_t p = 0; p < last.size(); ++p) jump = std::max(jump, (cover.mesh.x[p] - last[p]).norm());
      EXPECT_LT(jump, 0.02 * 1.7) << i;  // 0.02 rad of a rod 1.6 m long
      last = cover.mesh.x;
    }
  }
}

TEST(Covers, a_folded_rod_and_a_segment_without_length_stay_finite) {
  const LineMesh line = line_mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 1);
  for (const std::vector<Vec3>& x : {std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                                     std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}}}) {
    const Cover cover = tube_cover(line.x, x, paths_of(line), 0.1);
    for (const Vec3& p : cover.mesh.x) EXPECT_LT(p.norm(), 1.3);  // false for a NaN too
  }
}

}  // namespace
}  // namespace coracle
