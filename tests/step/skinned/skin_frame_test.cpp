#include "coracle/step/skinned/skin_frame.h"

#include "coracle/shape/tri_mesh.h"
#include "validation/film_on_skin.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

TEST(SkinFrame, every_side_of_a_triangle_is_a_side_of_its_edge) {
  for (const TriMesh& mesh : {sphere_mesh(Vec3::Zero(), 1, 0.3), plate_mesh(Vec3::UnitX(), Vec3::UnitY(), 4, 3)}) {
    const SkinEdges found = find_skin_edges(mesh.tris);
    for (int t = 0; t < int(mesh.tris.size()); ++t)
      for (int k = 0; k < 3; ++k) {
        const SkinEdges::Edge& edge = found.edges[found.of_tri[t][k] / 2];
        const int side = found.of_tri[t][k] % 2;
        EXPECT_EQ(edge.tri[side], t);
        EXPECT_EQ(edge.vertex[side], mesh.tris[t][k]);  // the second runs backwards
        EXPECT_EQ(edge.vertex[1 - side], mesh.tris[t][(k + 1) % 3]);
      }
  }
}

TEST(SkinFrame, only_open_skins_have_borders) {
  EXPECT_TRUE(find_skin_edges(torus_mesh(Vec3::Zero(), Vec3::UnitY(), 1, 0.3, 0.2).tris).borders.empty());
  EXPECT_EQ(find_skin_edges(plate_mesh(Vec3::UnitX(), Vec3::UnitY(), 4, 3).tris).borders.size(), 14);
}

TEST(SkinFrame, a_constant_flow_leaves_a_triangle_as_it_enters) {
  // Closure: Σ length · out = 0.
  const FilmOnSkin skin(torus_mesh(Vec3::Zero(), Vec3(1, 2, 3), 1, 0.3, 0.2));
  for (std::size_t i = 0; i < skin.size(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (int code : skin.edges.of_tri[i]) {
      const SkinFrame::Bend& bend = skin.frame.bends[code / 2];
      sum += bend.length * bend.out[code % 2];
      EXPECT_GT(bend.out[code % 2].dot((skin.mesh.x[skin.edges.edges[code / 2].vertex[0]] - skin.centroid(i))), 0);
    }
    EXPECT_LT(sum.norm(), 1e-15);
  }
}

TEST(SkinFrame, a_collapsed_triangle_stays_finite) {
  FilmOnSkin skin(plate_mesh(Vec3::UnitX(), Vec3::UnitY(), 2, 2));
  skin.coat(1e-3);
  for (Vec3& x : skin.mesh.x) x.y() = 0;
  skin.mesh.x[1] = skin.mesh.x[0];
  const double start = skin.film_volume();
  skin.step({}, Vec3(0, -9.81, 0), 5e-3);
  EXPECT_NEAR(skin.total_volume(), start, 1e-12 * start);
  for (const Vec3& v : skin.film.v) EXPECT_TRUE(v.allFinite());
}

}  // namespace
}  // namespace coracle
