// How thick a body is, and the word of warning where that is too thin for the grid.
#include "coracle/shape/thickness.h"

#include "coracle/shape/tri_mesh.h"
#include "coracle/world/bodies.h"
#include "coracle/world/surface.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

double thickness(const TriMesh& mesh) { return median_thickness(mesh.x, mesh.tris); }

// A plate of 1 × t × 1 m as a body.
Body plate(double t, const Vec3& rotate = Vec3::Zero()) {
  BodyOptions o;
  o.name = "sheet";
  o.mesh = BodyMesh::grid6;
  o.shape.kind = ShapeKind::box;
  o.shape.center = Vec3::Constant(0.5);
  o.shape.size = Vec3(1, t, 1);
  o.shape.rotate = rotate;
  o.cells = Vec3i(8, 1, 8);
  return build_body(o);
}

TEST(Thickness, of_a_plate_is_its_smallest_side_at_any_pose) {
  for (const Vec3& rotate : {Vec3(0, 0, 0), Vec3(30, 20, 70)}) {
    const Body body = plate(0.06, rotate);
    EXPECT_NEAR(median_thickness(body.x, body.rest->skin.tris), 0.06, 1e-12);
  }
  EXPECT_NEAR(thickness(box_mesh(Vec3(0, 0, 0), Vec3(1, 0.06, 1))), 0.06, 1e-12);  // of twelve triangles
}

TEST(Thickness, of_a_shell_is_that_of_its_wall_not_of_the_ball) {
  // Rays from the outer side end at the inner one after t; those from the inner side run outward through t as well.
  EXPECT_NEAR(thickness(hollow_sphere_mesh(Vec3::Zero(), 0.5, 0.05, 0.03)), 0.05, 0.002);
}

TEST(Thickness, of_a_ball_is_its_diameter_along_normals) {
  // A ray along the normal of a facet passes the ball's middle: 2 R.
  EXPECT_NEAR(thickness(sphere_mesh(Vec3::Zero(), 0.5, 0.05)), 1, 0.02);
}

TEST(Thickness, does_not_depend_on_how_finely_a_surface_is_meshed_beyond_its_rays) {
  const double coarse = thickness(hollow_sphere_mesh(Vec3::Zero(), 0.5, 0.1, 0.1));
  const double fine = thickness(hollow_sphere_mesh(Vec3::Zero(), 0.5, 0.1, 0.02));  // many more triangles than rays
  EXPECT_NEAR(coarse, 0.1, 0.01);
  EXPECT_NEAR(fine, 0.1, 0.002);
}

TEST(Thickness, degenerate_triangles_do_not_make_a_body_thin) {
  TriMesh mesh = box_mesh(Vec3::Zero(), Vec3(1, 0.5, 1));
  for (int i = 0; i < 40; ++i) mesh.tris.push_back(Vec3i(0, 0, 1));
  EXPECT_NEAR(thickness(mesh), 0.5, 1e-12);
}

TEST(Thickness, a_thin_body_is_warned_of_with_its_thickness_in_cells_and_the_resolution_that_gives_two) {
  // 0.05 m are 0.8 of a cell of 1/16 m; two cells of it need 2 / 0.05 = 40 cells a metre.
  const std::vector<std::string> words = thin_bodies(validation::unit_grid(16), {plate(0.05)}, "liquid");
  ASSERT_EQ(words.size(), 1u);
  for (const char* part : {"'sheet'", "0.05 m thick", "0.8 cells of 0.0625 m", "domain.resolution = 40"})
    EXPECT_NE(words[0].find(part), std::string::npos) << part << " is not in: " << words[0];
  EXPECT_NE(words[0].find("liquid can leak"), std::string::npos);
  EXPECT_NE(thin_bodies(validation::unit_grid(16), {plate(0.05)}, "gas")[0].find("gas can leak"), std::string::npos);
  EXPECT_TRUE(thin_bodies(validation::unit_grid(40), {plate(0.05 * (1 - 1e-9))}, "liquid").empty()) << "two cells";
  EXPECT_EQ(thin_bodies(validation::unit_grid(39), {plate(0.05), plate(0.3)}, "liquid").size(), 1u);
}

}  // namespace
}  // namespace coracle
