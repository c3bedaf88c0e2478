#include "coracle/shape/region.h"
#include "coracle/base/random.h"
#include "coracle/shape/closest.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace coracle {
namespace {

Vec3 random_point(std::uint64_t i) { return Vec3(uniform(1, i), uniform(2, i), uniform(3, i)) * 4 - Vec3::Constant(2); }

ShapeOptions shape_of(ShapeKind kind) {
  ShapeOptions s;
  s.kind = kind;
  s.center = {0.1, 0.2, 0.3};
  s.size = {1, 0.6, 0.8};
  s.radius = 0.7;
  s.height = 1.2;
  s.axis = {1, 1, 0};
  s.rotate = {20, 30, 40};
  return s;
}

TEST(Region, primitives_contain_what_their_surfaces_enclose) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder}) {
    const ShapeOptions s = shape_of(kind);
    const Region region(s);
    const TriMesh mesh = shape_mesh(s, 0.05);
    EXPECT_EQ(closedness_problem(mesh), "");
    const TriTree tree(mesh.x, mesh.tris);
    int inside = 0;
    for (int i = 0; i < 5000; ++i) {
      const Vec3 x = random_point(i);
      const double distance = tree.closest(x).distance;
      if (std::abs(distance) < 2e-3) continue;  // the surface is flat where the shape is round
      EXPECT_EQ(region.contains(x), distance < 0) << int(kind) << " at " << x.transpose();
      inside += distance < 0;
    }
    EXPECT_GT(inside, 30);
  }
}

TEST(Region, bounds_hold_every_point_of_the_region) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder}) {
    const Region region(shape_of(kind));
    for (int i = 0; i < 20000; ++i) {
      const Vec3 x = random_point(i);
      EXPECT_TRUE(!region.contains(x) || region.bounds().contains(x));
    }
  }
}

TEST(Region, a_half_space_lies_against_its_normal) {
  ShapeOptions s = shape_of(ShapeKind::half_space);
  s.point = {0, 0.5, 0};
  s.normal = {0, 3, 0};
  const Region region(s);
  EXPECT_TRUE(region.contains({100, 0.4, -7}));
  EXPECT_FALSE(region.contains({0, 0.6, 0}));
  EXPECT_EQ(region.bounds().hi.y(), 0.5);
  EXPECT_TRUE(std::isinf(region.bounds().lo.x()));
}

TEST(Region, union_difference_and_intersection_combine_their_parts) {
  ShapeOptions ball = shape_of(ShapeKind::sphere), box = shape_of(ShapeKind::box);
  ball.center = {0.5, 0, 0};
  ShapeOptions both, less, shared;
  both.kind = ShapeKind::union_of;
  less.kind = ShapeKind::difference;
  shared.kind = ShapeKind::intersection;
  both.parts = less.parts = shared.parts = {box, ball};
  const Region a(box), b(ball), united(both), rest(less), common(shared);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 x = random_point(i);
    EXPECT_EQ(united.contains(x), a.contains(x) || b.contains(x));
    EXPECT_EQ(rest.contains(x), a.contains(x) && !b.contains(x));
    EXPECT_EQ(common.contains(x), a.contains(x) && b.contains(x));
    EXPECT_TRUE(!united.contains(x) || united.bounds().contains(x));
    EXPECT_TRUE(!common.contains(x) || common.bounds().contains(x));
  }
}

TEST(Region, a_mesh_is_scaled_turned_and_moved_in_this_order) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("coracle_region_" + std::to_string(getpid()) + ".obj")).string();
  const TriMesh box = box_mesh(Vec3::Zero(), {1, 2, 3});
  {
    std::ofstream out(file);
    for (const Vec3& x : box.x) out << "v " << x.transpose() << "\n";
    for (const Vec3i& t : box.tris) out << "f " << (t.array() + 1).transpose() << "\n";
  }
  ShapeOptions s;
  s.kind = ShapeKind::mesh;
  s.file = file;
  s.scale = 0.5;
  s.rotate = {0, 0, 90};
  s.translate = {10, 0, 0};
  const Region region(s);
  EXPECT_LT((region.bounds().lo - Vec3(9, 0, 0)).norm(), 1e-12);
  EXPECT_LT((region.bounds().hi - Vec3(10, 0.5, 1.5)).norm(), 1e-12);
  EXPECT_TRUE(region.contains({9.5, 0.25, 0.75}));
  EXPECT_FALSE(region.contains({10.5, 0.25, 0.75}));
  std::filesystem::remove(file);
}

TEST(Region, volumes_of_shapes_are_those_of_their_formulas_and_close_for_combined_shapes) {
  ShapeOptions s;
  s.kind = ShapeKind::torus, s.radius = 0.4, s.tube = 0.1;
  EXPECT_NEAR(shape_volume(s), 2 * M_PI * M_PI * 0.4 * 0.01, 1e-12);
  s.kind = ShapeKind::hollow_sphere, s.thickness = 0.1;
  EXPECT_NEAR(shape_volume(s), 4 * M_PI / 3 * (0.064 - 0.027), 1e-12);
  s.kind = ShapeKind::half_space;
  EXPECT_TRUE(std::isinf(shape_volume(s)));
  ShapeOptions box, hole, both;
  hole.kind = ShapeKind::sphere, hole.radius = 0.4;
  both.kind = ShapeKind::difference, both.parts = {box, hole};
  EXPECT_NEAR(shape_volume(both), 1 - 4 * M_PI / 3 * 0.064, 0.01);
}

}  // namespace
}  // namespace coracle
