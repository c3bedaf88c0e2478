#include "coracle/shape/embed.h"
#include "coracle/base/random.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/thin_meshes.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

ShapeOptions ball() {
  ShapeOptions s;
  s.kind = ShapeKind::sphere;
  s.radius = 1;
  return s;
}

std::vector<Vec3> points_around(double reach) {
  std::vector<Vec3> points(3000);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = reach * (2 * Vec3(uniform(1, i), uniform(2, i), uniform(3, i)) - Vec3::Ones());
  return points;
}

TEST(Embedding, points_stay_where_they_are_while_the_tets_do) {
  const TetMesh mesh = shape_tets(ball(), 0.3);
  const std::vector<Vec3> points = points_around(1.2);
  const std::vector<Vec3> moved = embedded(embed(mesh, points), mesh.tets, mesh.x);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((moved[i] - points[i]).norm(), 1e-12);
}

TEST(Embedding, points_inside_and_outside_follow_an_affine_map_exactly) {
  const TetMesh mesh = shape_tets(ball(), 0.3);
  const std::vector<Vec3> points = points_around(1.2);
  Mat3 a;
  a << 1, 0.3, 0, -0.2, 1.5, 0.1, 0.4, 0, 0.7;
  const Vec3 b(3, -2, 1);
  std::vector<Vec3> x = mesh.x;
  for (Vec3& p : x) p = a * p + b;
  const std::vector<Vec3> moved = embedded(embed(mesh, points), mesh.tets, x);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((moved[i] - (a * points[i] + b)).norm(), 1e-12);
}

TEST(Embedding, a_point_inside_lies_in_its_tet_and_one_outside_takes_the_nearest) {
  const TetMesh mesh = box_tets(Vec3::Zero(), {4, 1, 1}, {4, 1, 1}, 6);
  const Embedding e = embed(mesh, {{0.3, 0.4, 0.5}, {3.7, 0.2, 0.9}, {-5, 0.5, 0.5}, {9, 0.5, 0.5}, {1, 1, 1}});
  EXPECT_GE(e.weights[0].minCoeff(), 0);
  EXPECT_GE(e.weights[1].minCoeff(), 0);
  EXPECT_GE(e.weights[4].minCoeff(), -1e-9);
  for (const auto& w : e.weights) EXPECT_NEAR(w.sum(), 1, 1e-12);
  EXPECT_LT(e.element[2], 6) << "of the first cube";
  EXPECT_GE(e.element[3], 18) << "of the last";
}

TEST(Embedding, no_points_are_fine) {
  EXPECT_TRUE(embed(box_tets(Vec3::Zero(), Vec3::Ones(), {1, 1, 1}, 5), {}).element.empty());
}

// Whether all points of the embedding are at least as near as any node.
template <class Mesh, class Elements>
void expect_nearest(const Mesh& mesh, const Elements& elements, const std::vector<Vec3>& points) {
  const Embedding e = embed(mesh, points);
  const std::vector<Vec3> found = embedded(e, elements, mesh.x);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(e.weights[i].sum(), 1, 1e-12);
    EXPECT_GE(e.weights[i].minCoeff(), -1e-12);
    for (const Vec3& x : mesh.x) EXPECT_LE((found[i] - points[i]).norm(), (x - points[i]).norm() + 1e-12);
  }
}

TEST(Embedding, a_point_near_a_sheet_or_a_line_is_its_nearest_point_there) {
  const TriMesh sheet = rectangle_mesh(Vec3(0.5, 0.5, 0), Vec3::UnitX(), Vec3::UnitY(), 0.25);
  const std::vector<Vec3> near = {{0.3, 0.4, 0.2}, {0.3, 0.4, -0.7}, {2, 0.4, 0}};
  const std::vector<Vec3> on_sheet = embedded(embed(sheet, near), sheet.tris, sheet.x);
  EXPECT_LT((on_sheet[0] - Vec3(0.3, 0.4, 0)).norm(), 1e-12);
  EXPECT_LT((on_sheet[1] - Vec3(0.3, 0.4, 0)).norm(), 1e-12);
  EXPECT_LT((on_sheet[2] - Vec3(1, 0.4, 0)).norm(), 1e-12);
  std::vector<Vec3> points = points_around(1.5);
  points.resize(200);
  expect_nearest(sheet, sheet.tris, points);
  const LineMesh net = net_mesh(Vec3(0.5, 0.5, 0), Vec3::UnitX(), Vec3::UnitY(), 0.5, 0.2);
  expect_nearest(net, net.segments, points);
  const std::vector<Vec3> on_line = embedded(embed(net, {{0.3, 0.55, 0.2}}), net.segments, net.x);
  EXPECT_LT((on_line[0] - Vec3(0.3, 0.5, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace coracle
