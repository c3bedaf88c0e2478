#include "coracle/shape/thin_meshes.h"

#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "mesh_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace coracle {
namespace {

ShapeOptions shape_of(ShapeKind kind) {
  ShapeOptions s;
  s.kind = kind;
  s.center = Vec3(0.3, 0.5, 0.2);
  s.size = Vec3(0.5, 0.31, 0.2);
  s.radius = 0.2, s.height = 0.33, s.tube = 0.05, s.thickness = 0.08;
  s.rotate = Vec3(10, 20, 30);
  if (kind == ShapeKind::union_of || kind == ShapeKind::difference) {
    s.parts = {shape_of(ShapeKind::sphere), shape_of(ShapeKind::sphere)};
    s.parts[1].center.x() += 0.15;
  }
  return s;
}

struct Edges {
  double longest = 0, shortest = 1e30;
};
Edges edges_of(const TriMesh& mesh) {
  Edges e;
  for (const Vec3i& t : mesh.tris)
    for (int c = 0; c < 3; ++c) {
      const double length = (mesh.x[t[c]] - mesh.x[t[(c + 1) % 3]]).norm();
      e.longest = std::max(e.longest, length);
      e.shortest = std::min(e.shortest, length);
    }
  return e;
}

bool all_used(const TriMesh& mesh) {
  std::vector<char> used(mesh.x.size(), 0);
  for (const Vec3i& t : mesh.tris)
    for (const int v : t) used[v] = 1;
  return std::count(used.begin(), used.end(), 0) == 0;
}

TEST(MeshesOfShapes, surfaces_are_closed_hold_the_volume_of_the_shape_and_have_facets_of_the_edge) {
  constexpr double edge = 0.04;
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::torus,
                               ShapeKind::hollow_sphere, ShapeKind::union_of, ShapeKind::difference}) {
    const ShapeOptions shape = shape_of(kind);
    const TriMesh mesh = closed_surface_of(shape, edge);
    const bool stuffed = has_parts(kind);
    const TetMesh tets = stuffed ? shape_tets(shape, edge) : TetMesh();
    const double volume = stuffed ? volume_of(tets.x, tets.tets) : shape_volume(shape);
    EXPECT_EQ(closedness_problem(mesh), "") << int(kind);
    EXPECT_TRUE(all_used(mesh)) << int(kind);
    EXPECT_NEAR(enclosed_volume(mesh) / volume, 1, 1e-9) << int(kind);
    const Edges e = edges_of(mesh);
    EXPECT_LE(e.longest, 1.5 * edge) << int(kind) << ": a diagonal of a cell is √2 times its side";
    if (!stuffed) {
      EXPECT_GE(e.shortest, 0.4 * edge) << int(kind);
    }
    const Bounds inside = shape_bounds(shape);
    for (const Vec3& x : mesh.x)
      for (int a = 0; a < 3; ++a) EXPECT_TRUE(x[a] > inside.lo[a] - 0.3 * edge && x[a] < inside.hi[a] + 0.3 * edge);
  }
}

// Every vertex of a regular cap is as far from its ring's neighbours as from the next ring.
TEST(MeshesOfShapes, facets_of_a_cylinder_are_well_shaped) {
  const TriMesh mesh = closed_surface_of(shape_of(ShapeKind::cylinder), 0.03);
  for (const Vec3i& t : mesh.tris) {
    const Vec3 u = mesh.x[t[1]] - mesh.x[t[0]], v = mesh.x[t[2]] - mesh.x[t[0]];
    const double quality =
        2 * std::sqrt(3.0) * u.cross(v).norm() / (u.squaredNorm() + v.squaredNorm() + (v - u).squaredNorm());
    EXPECT_GT(quality, 0.75);  // half a square has 0.866
  }
}

TEST(MeshesOfShapes, a_sheet_is_a_rectangle_a_closed_surface_or_an_open_file) {
  ShapeOptions shape = shape_of(ShapeKind::rectangle);
  shape.along = Vec3(0.4, 0, 0), shape.across = Vec3(0, 0, 0.2);
  const TriMesh rectangle = sheet_of(shape, 0.05);
  EXPECT_EQ(rectangle.tris.size(), 2u * 8u * 4u);
  EXPECT_NE(closedness_problem(rectangle), "");
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::torus})
    EXPECT_EQ(closedness_problem(sheet_of(shape_of(kind), 0.05)), "");
  for (const ShapeKind kind : {ShapeKind::half_space, ShapeKind::net, ShapeKind::line, ShapeKind::union_of})
    EXPECT_THROW((void)sheet_of(shape_of(kind), 0.05), std::runtime_error);

  const TestFolder folder;
  ShapeOptions file = shape_of(ShapeKind::mesh);
  file.file = folder.write("sheet.obj", as_obj(rectangle) + "v 9 9 9\n");  // a vertex that no triangle uses
  file.rotate = Vec3(0, 90, 0), file.scale = 2, file.translate = Vec3(1, 2, 3);
  const TriMesh read = sheet_of(file, 1);
  EXPECT_EQ(read.tris.size(), rectangle.tris.size());
  EXPECT_EQ(read.x.size(), rectangle.x.size());
  for (const Vec3& x : rectangle.x) {
    const Vec3 moved = Vec3(1, 2, 3) + 2 * Vec3(x.z(), x.y(), -x.x());  // 90° about y
    const auto near = [&](const Vec3& y) { return (y - moved).norm() < 1e-6; };
    EXPECT_TRUE(std::any_of(read.x.begin(), read.x.end(), near));
  }
}

TEST(MeshesOfShapes, a_thin_shape_has_no_closed_surface) {
  for (const ShapeKind kind : {ShapeKind::rectangle, ShapeKind::net, ShapeKind::line, ShapeKind::half_space})
    EXPECT_THROW((void)closed_surface_of(shape_of(kind), 0.05), std::runtime_error);
}

TEST(MeshesOfShapes, lines_come_from_a_file_with_all_ways_to_number_vertices) {
  const TestFolder folder;
  ShapeOptions shape = shape_of(ShapeKind::mesh);
  shape.rotate = Vec3::Zero();
  // The third vertex lies on the first: the lines are joined there.
  shape.file = folder.write("ropes.obj",
                            "# ropes\no net\nv 0 0 0\nv 1 0 0\nv 0 0 0\nv 0 +1e0 0 0.5 0.5 0.5\nvt 0 0\n"
                            "l 1/1 2/1\r\nl -2 -1 # from behind\nv 2 0 0\nl 2 5\n\n");
  shape.scale = 2, shape.translate = Vec3(0, 0, 1);
  const LineMesh lines = lines_of(shape, 10);
  ASSERT_EQ(lines.x.size(), 4u);
  ASSERT_EQ(lines.segments.size(), 3u);
  const std::vector<Vec3> expected = {{0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {4, 0, 1}};
  EXPECT_TRUE(lines.x == expected);
  EXPECT_TRUE((lines.segments == std::vector<std::array<int, 2>>{{0, 1}, {0, 2}, {1, 3}}));
  EXPECT_EQ(lines_of(shape, 0.5).segments.size(), 12u) << "long segments are divided";
}

TEST(MeshesOfShapes, bad_lines_of_a_file_are_named) {
  const TestFolder folder;
  ShapeOptions shape = shape_of(ShapeKind::mesh);
  const auto reason = [&](const std::string& text, const char* name = "a.obj") -> std::string {
    shape.file = folder.write(name, text);
    try {
      (void)lines_of(shape, 0.1);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const std::string two = "v 0 0 0\nv 1 0 0\n";
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(reason(text).find(part), std::string::npos) << text << reason(text);
  };
  expect(two + "l 1 3\n", "a.obj:3: the line names vertex 3, and 2 are given above");
  expect(two + "l 0 1\n", "a.obj:3: the line names vertex 0");
  expect(two + "l -3 1\n", "a.obj:3: the line names vertex -3");
  expect(two + "\nl 1\n", "a.obj:4: a line needs two vertices");
  expect(two + "l 1 x\n", "a.obj:3: the number of a vertex should stand in place of 'x'");
  expect(two + "l 1 1\n", "a.obj:3: vertices 1 and 1 of the line are at the same place");
  expect(two + "l 1 2\nl 2 1\n", "a.obj:4: the segment from vertex 2 to 1 is there twice");
  expect("v 0 0\n", "a.obj:1: a vertex needs three coordinates");
  expect("v 0 0 nan\n", "a.obj:1: a coordinate should stand in place of 'nan'");
  expect(two + "f 1 2 1\n", "it has no lines");
  EXPECT_NE(reason(two + "l 1 2\n", "a.ply").find("'.ply'"), std::string::npos);
  shape.file = folder.path / "none.obj";
  EXPECT_THROW((void)lines_of(shape, 0.1), std::runtime_error);
  EXPECT_THROW((void)lines_of(shape_of(ShapeKind::box), 0.1), std::runtime_error);
}

}  // namespace
}  // namespace coracle
