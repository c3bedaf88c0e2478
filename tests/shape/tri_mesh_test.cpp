#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double round_off = 1e-12;

TEST(TriMesh, a_box_is_closed_and_holds_its_volume) {
  const TriMesh mesh = box_mesh({1, 2, 3}, {1.5, 4, 3.25});
  EXPECT_EQ(closedness_problem(mesh), "");
  EXPECT_NEAR(enclosed_volume(mesh), 0.5 * 2 * 0.25, round_off);
}

TEST(TriMesh, a_sphere_is_closed_holds_the_true_volume_and_obeys_its_edge_length) {
  for (const double edge : {2.0, 0.5, 0.2, 0.05}) {
    const TriMesh mesh = sphere_mesh({1, 2, 3}, 0.7, edge);
    EXPECT_EQ(closedness_problem(mesh), "");
    EXPECT_NEAR(enclosed_volume(mesh), 4 * pi / 3 * 0.343, 1e-10);
    double longest = 0;
    for (const Vec3i& t : mesh.tris) longest = std::max(longest, (mesh.x[t[0]] - mesh.x[t[1]]).norm());
    EXPECT_LE(longest, edge);
    EXPECT_GE(longest, edge < 1 ? 0.5 * edge : 0) << "no finer than asked";
  }
}

TEST(TriMesh, a_cylinder_is_closed_and_holds_the_true_volume) {
  for (const Vec3& axis : {Vec3(0, 1, 0), Vec3(0, 0, -2), Vec3(1, 2, 3)}) {
    const TriMesh mesh = cylinder_mesh({1, 2, 3}, axis, 0.3, 2, 0.05);
    EXPECT_EQ(closedness_problem(mesh), "");
    EXPECT_NEAR(enclosed_volume(mesh), pi * 0.09 * 2, round_off);
    EXPECT_LE((mesh.x[0] - mesh.x[1]).norm(), 0.05);
  }
}

TEST(TriMesh, a_prism_is_closed_and_holds_its_volume) {
  const TriMesh mesh = prism_mesh({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}, {1, 0.5, 0}, -1, 2);
  EXPECT_EQ(closedness_problem(mesh), "");
  EXPECT_NEAR(enclosed_volume(mesh), 6, round_off);
}

TEST(TriMesh, tiny_edges_are_bounded) {
  EXPECT_LT(sphere_mesh(Vec3::Zero(), 1, 1e-9).tris.size(), 1'000'000u);
  EXPECT_LT(cylinder_mesh(Vec3::Zero(), Vec3::UnitY(), 1, 1, 1e-9).tris.size(), 1'000'000u);
}

TEST(TriMesh, a_transform_scales_volume_by_its_cube) {
  TriMesh mesh = box_mesh(Vec3::Zero(), Vec3::Ones());
  transform(mesh, 2, rotation_xyz({10, 20, 30}), {100, 200, 300});
  EXPECT_EQ(closedness_problem(mesh), "");
  EXPECT_NEAR(enclosed_volume(mesh), 8, 1e-9);
}

TEST(TriMesh, rotation_turns_about_x_first_then_y_then_z) {
  EXPECT_LT((rotation_xyz({90, 0, 0}) * Vec3::UnitY() - Vec3::UnitZ()).norm(), round_off);
  EXPECT_LT((rotation_xyz({90, 90, 0}) * Vec3::UnitY() - Vec3::UnitX()).norm(), round_off);   // y → z → x
  EXPECT_LT((rotation_xyz({90, 90, 90}) * Vec3::UnitY() - Vec3::UnitY()).norm(), round_off);  // … → y
}

TEST(TriMesh, what_is_not_a_closed_surface_is_named) {
  const auto problem = [](auto&& change) {
    TriMesh mesh = box_mesh(Vec3::Zero(), Vec3::Ones());
    change(mesh);
    return closedness_problem(mesh);
  };
  EXPECT_NE(problem([](TriMesh& m) { m.tris.pop_back(); }).find("is not closed: the edge from ("), std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { m.tris.push_back(m.tris[0]); }).find("twice (1 such triangles); delete doubled"),
            std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { std::swap(m.tris[0][0], m.tris[0][1]); }).find("turned opposite ways"),
            std::string::npos);
  // A fin: three triangles at one edge.
  EXPECT_NE(problem([](TriMesh& m) {
              m.x.emplace_back(2, 2, 2);
              m.tris.emplace_back(m.tris[0][0], m.tris[0][1], 8);
            }).find("several triangles"),
            std::string::npos);
  // Vertex 8 is vertex 0 of one triangle again, a hair beside it.
  EXPECT_NE(problem([](TriMesh& m) {
              m.x.push_back(m.x[m.tris[0][0]] + Vec3(1e-7, 0, 0));
              m.tris[0][0] = 8;
            }).find("are 1e-07 m apart and not joined (4 open edges); merge vertices"),
            std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { m.tris[0][0] = 8; }).find("out of range"), std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { m.tris[0][0] = m.tris[0][1]; }).find("twice"), std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { m.x[0].x() = NAN; }).find("not finite"), std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) { m.tris.clear(); }).find("no triangles"), std::string::npos);
  EXPECT_NE(problem([](TriMesh& m) {
              for (Vec3i& t : m.tris) std::swap(t[0], t[1]);
            }).find("encloses no volume"),
            std::string::npos);
}

TEST(TriMesh, a_piece_turned_inside_out_is_named_and_a_cavity_is_fine) {
  const auto with = [](TriMesh piece, bool inward) {
    TriMesh mesh = box_mesh(Vec3::Zero(), Vec3::Constant(4));
    for (const Vec3i& t : piece.tris) {
      const Vec3i moved = t.array() + int(mesh.x.size());
      mesh.tris.push_back(inward ? Vec3i(moved[1], moved[0], moved[2]) : moved);
    }
    mesh.x.insert(mesh.x.end(), piece.x.begin(), piece.x.end());
    return closedness_problem(mesh);
  };
  const TriMesh beside = box_mesh(Vec3::Constant(5), Vec3::Constant(6));
  const TriMesh inside = box_mesh(Vec3::Constant(1), Vec3::Constant(2));
  EXPECT_EQ(with(beside, false), "");
  EXPECT_NE(with(beside, true).find("turned inside out, around (5.5, 5.5, 5.5)"), std::string::npos)
      << with(beside, true);
  EXPECT_EQ(with(inside, true), "") << "a cavity";
  EXPECT_NE(with(inside, false).find("a piece inside another, around (1.5, 1.5, 1.5)"), std::string::npos);
}

}  // namespace
}  // namespace coracle
