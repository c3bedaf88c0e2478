#include "coracle/shape/distance.h"
#include "coracle/base/random.h"
#include "coracle/shape/closest.h"
#include "coracle/shape/region.h"
#include "mesh_files.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

Vec3 random_point(std::uint64_t i) { return Vec3(uniform(4, i), uniform(5, i), uniform(6, i)) * 4 - Vec3::Constant(2); }

ShapeOptions shape_of(ShapeKind kind) {
  ShapeOptions s;
  s.kind = kind;
  s.center = {0.1, 0.2, 0.3};
  s.size = {1, 0.6, 0.8};
  s.radius = 0.7;
  s.tube = 0.25;
  s.thickness = 0.3;
  s.height = 1.2;
  s.axis = {1, 1, 0};
  s.point = {0, 0.1, 0};
  s.normal = {1, 2, 3};
  s.rotate = {20, 30, 40};
  s.blend = 0.4;
  if (has_parts(kind)) {
    s.parts = {shape_of(ShapeKind::box), shape_of(ShapeKind::sphere), shape_of(ShapeKind::torus)};
    s.parts[1].center = {0.8, 0, 0};
    s.parts[1].radius = 0.4;
    if (kind == ShapeKind::intersection) s.parts = {shape_of(ShapeKind::box), shape_of(ShapeKind::cylinder)};
  }
  return s;
}

const ShapeKind closed_kinds[] = {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::torus,
                                  ShapeKind::hollow_sphere};
const ShapeKind every_shape[] = {ShapeKind::box,         ShapeKind::sphere,       ShapeKind::cylinder,
                                 ShapeKind::half_space,  ShapeKind::torus,        ShapeKind::hollow_sphere,
                                 ShapeKind::union_of,    ShapeKind::smooth_union, ShapeKind::difference,
                                 ShapeKind::intersection};

TEST(Distance, primitives_agree_with_their_surfaces) {
  for (const ShapeKind kind : closed_kinds) {
    const ShapeOptions s = shape_of(kind);
    const TriMesh mesh = shape_mesh(s, 0.03);
    ASSERT_EQ(closedness_problem(mesh), "") << int(kind);
    const TriTree tree(mesh.x, mesh.tris);
    const ShapeDistance distance(s);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 x = random_point(i);
      // Facets of edge h leave a circle of radius r by h²/8r, and volumes are kept by as much outward.
      EXPECT_NEAR(distance(x), tree.closest(x).distance, 1e-3) << int(kind) << " at " << x.transpose();
    }
  }
}

TEST(Distance, closed_surfaces_enclose_the_volume_of_their_shapes) {
  const double pi = M_PI, r = 0.7, inner = 0.4, tube = 0.25;
  for (const double edge : {0.3, 0.05}) {
    EXPECT_NEAR(enclosed_volume(shape_mesh(shape_of(ShapeKind::torus), edge)), 2 * pi * pi * r * tube * tube, 1e-12);
    EXPECT_NEAR(enclosed_volume(shape_mesh(shape_of(ShapeKind::hollow_sphere), edge)),
                4 * pi / 3 * (r * r * r - inner * inner * inner), 1e-12);
  }
}

TEST(Distance, its_sign_is_that_of_the_region_and_bounds_hold_it) {
  for (const ShapeKind kind : every_shape) {
    const ShapeOptions s = shape_of(kind);
    const ShapeDistance distance(s);
    const Region region(s);
    int inside = 0;
    for (int i = 0; i < 5000; ++i) {
      const Vec3 x = random_point(i);
      EXPECT_EQ(distance(x) <= 0, region.contains(x)) << int(kind) << " at " << x.transpose();
      EXPECT_TRUE(distance(x) > 0 || region.bounds().contains(x)) << int(kind) << " at " << x.transpose();
      inside += distance(x) <= 0;
    }
    EXPECT_GT(inside, 10) << int(kind);
  }
}

TEST(Distance, its_slope_is_one_at_most) {
  for (const ShapeKind kind : every_shape) {
    const ShapeDistance distance(shape_of(kind));
    for (int i = 0; i < 5000; ++i) {
      const Vec3 x = random_point(i), y = x + 0.1 * random_point(i + 7777);
      EXPECT_LE(std::abs(distance(x) - distance(y)), (x - y).norm() + 1e-12) << int(kind);
    }
  }
}

TEST(Distance, a_smooth_union_holds_its_union_and_differs_from_it_by_less_than_its_reach) {
  ShapeOptions smooth = shape_of(ShapeKind::smooth_union), sharp = smooth;
  sharp.kind = ShapeKind::union_of;
  const ShapeDistance a(smooth), b(sharp);
  double most = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 x = random_point(i);
    EXPECT_LE(a(x), b(x) + 1e-15);
    most = std::max(most, b(x) - a(x));
  }
  EXPECT_LE(most, blend_reach(smooth));
  EXPECT_GT(most, 0.9 * 0.25 * smooth.blend) << "two parts alone give a quarter of the blend";
}

TEST(Distance, a_mesh_file_is_as_far_as_its_shape) {
  const TestFolder folder;
  ShapeOptions s;
  s.kind = ShapeKind::mesh;
  s.file = folder.write("a.obj", as_obj(box_mesh(Vec3::Constant(-0.5), Vec3::Constant(0.5))));
  s.scale = 2;
  s.translate = {1, 0, 0};
  const ShapeDistance distance(s);
  EXPECT_NEAR(distance({1, 0, 0}), -1, 1e-6);
  EXPECT_NEAR(distance({4, 0, 0}), 2, 1e-6);
}

}  // namespace
}  // namespace coracle
