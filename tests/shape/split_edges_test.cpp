#include "coracle/shape/split_edges.h"

#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <map>

namespace coracle {
namespace {

TEST(SplitEdges, leaves_a_closed_surface_as_it_is_in_small_triangles) {
  const TriMesh rod = cylinder_mesh(Vec3(1, 2, 3), Vec3::UnitY(), 0.1, 0.6, 0.02), box = box_mesh({0, 0, 0}, {1, 2, 3});
  for (const auto& [mesh, most] : {std::pair{rod, 0.025}, {box, 0.3}}) {
    const TriMesh fine = split_long_edges(mesh, most);
    const auto area = [](const TriMesh& m) {
      double sum = 0;
      for (const Vec3i& t : m.tris) sum += 0.5 * (m.x[t[1]] - m.x[t[0]]).cross(m.x[t[2]] - m.x[t[0]]).norm();
      return sum;
    };
    EXPECT_NEAR(area(fine), area(mesh), 1e-12 * area(mesh));
    EXPECT_NEAR(enclosed_volume(fine.x, fine.tris), enclosed_volume(mesh.x, mesh.tris), 1e-12);
    std::map<std::pair<int, int>, int> sides;
    double least_area = 1;
    for (const Vec3i& t : fine.tris) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE((fine.x[t[k]] - fine.x[t[(k + 1) % 3]]).norm(), most * (1 + 1e-12));
        const int seen = ++sides[{t[k], t[(k + 1) % 3]}];
        EXPECT_EQ(seen, 1) << "turned alike";
      }
      least_area = std::min(least_area, (fine.x[t[1]] - fine.x[t[0]]).cross(fine.x[t[2]] - fine.x[t[0]]).norm());
    }
    for (const auto& [ends, count] : sides) {
      const std::pair<int, int> back(ends.second, ends.first);
      EXPECT_EQ(sides.count(back), 1u) << "closed";
    }
    EXPECT_GT(least_area, 0.01 * most * most) << "no slivers";
    // Thin triangles are halved across too: 25 on a square of `most` where 4 would do.
    EXPECT_LT(double(fine.tris.size()), 30 * area(mesh) / (most * most));
  }
}

TEST(SplitEdges, leaves_small_triangles_alone) {
  const TriMesh ball = sphere_mesh(Vec3::Zero(), 0.1, 0.02);
  EXPECT_EQ(split_long_edges(ball, 0.1).tris, ball.tris);
}

}  // namespace
}  // namespace coracle
