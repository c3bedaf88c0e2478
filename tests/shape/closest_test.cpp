#include "coracle/shape/closest.h"
#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

Vec3 random_point(std::uint64_t key) {
  return 3 * Vec3(uniform(key, 0), uniform(key, 1), uniform(key, 2)) - Vec3::Constant(1.5);
}

TEST(Closest, distance_to_a_box_is_exact_and_negative_inside) {
  const TriMesh mesh = box_mesh(Vec3(-0.5, -0.4, -0.3), Vec3(0.5, 0.4, 0.3));
  const TriTree tree(mesh.x, mesh.tris);
  for (std::uint64_t key = 0; key < 2000; ++key) {
    const Vec3 q = random_point(key), d = q.cwiseAbs() - Vec3(0.5, 0.4, 0.3);
    const double exact = d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0);
    EXPECT_NEAR(tree.closest(q).distance, exact, 1e-12) << q.transpose();
  }
}

TEST(Closest, the_tree_finds_what_a_search_through_all_triangles_finds) {
  const TriMesh mesh = sphere_mesh(Vec3(0.1, 0, -0.2), 0.7, 0.1);
  const TriTree tree(mesh.x, mesh.tris);
  for (std::uint64_t key = 0; key < 300; ++key) {
    const Vec3 q = random_point(key);
    double best = 1e30;
    for (const Vec3i& t : mesh.tris) {
      int feature = 0;
      const Vec3 b = closest_on_triangle(q, mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], feature);
      best = std::min(best, (q - b[0] * mesh.x[t[0]] - b[1] * mesh.x[t[1]] - b[2] * mesh.x[t[2]]).norm());
    }
    const ClosestPoint near = tree.closest(q);
    EXPECT_NEAR(std::abs(near.distance), best, 1e-14);
    EXPECT_NEAR((q - near.point).norm(), best, 1e-14);
    EXPECT_EQ(near.distance < 0, (q - Vec3(0.1, 0, -0.2)).norm() < 0.69) << q.transpose();
  }
}

TEST(Closest, nothing_is_found_beyond_the_given_reach) {
  const TriMesh mesh = box_mesh(Vec3::Zero(), Vec3::Ones());
  EXPECT_EQ(TriTree(mesh.x, mesh.tris).closest(Vec3(3, 0.5, 0.5), 1.9).tri, -1);
  EXPECT_GE(TriTree(mesh.x, mesh.tris).closest(Vec3(3, 0.5, 0.5), 2.1).tri, 0);
}

}  // namespace
}  // namespace coracle
