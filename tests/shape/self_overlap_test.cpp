#include "coracle/shape/self_overlap.h"

#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TriMesh two_balls(double apart) {
  TriMesh both = sphere_mesh(Vec3::Zero(), 1, 0.3);
  const TriMesh other = sphere_mesh(Vec3(apart, 0.01, 0.02), 1, 0.3);
  const int first = int(both.x.size());
  both.x.insert(both.x.end(), other.x.begin(), other.x.end());
  for (const Vec3i& t : other.tris) both.tris.push_back(t + Vec3i::Constant(first));
  return both;
}

TEST(SelfOverlap, a_simple_surface_does_not_cross_itself) {
  for (const TriMesh& mesh : {box_mesh(Vec3::Zero(), Vec3::Ones()), sphere_mesh(Vec3::Zero(), 1, 0.2),
                              torus_mesh(Vec3::Zero(), Vec3::UnitY(), 1, 0.3, 0.2), two_balls(2.1)})
    EXPECT_EQ(self_overlap(mesh.x, mesh.tris).pairs, 0);
}

TEST(SelfOverlap, balls_that_overlap_cross_on_their_common_circle) {
  const TriMesh mesh = two_balls(1.6);
  const SelfOverlap found = self_overlap(mesh.x, mesh.tris);
  EXPECT_GT(found.pairs, 10);
  // The circle has radius 0.6 about (0.8, 0, 0); a triangle on it is within an edge of it.
  EXPECT_NEAR(found.at.x(), 0.8, 0.3);
  EXPECT_NEAR(std::hypot(found.at.y(), found.at.z()), 0.6, 0.3);
}

TEST(SelfOverlap, a_ball_within_another_does_not_cross_it) {
  const TriMesh hollow = hollow_sphere_mesh(Vec3::Zero(), 1, 0.2, 0.2);
  EXPECT_EQ(self_overlap(hollow.x, hollow.tris).pairs, 0);
}

}  // namespace
}  // namespace coracle
