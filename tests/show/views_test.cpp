#include "coracle/show/views.h"

#include "coracle/out/vtk.h"
#include "coracle/shape/covers.h"
#include "coracle/shape/thin_meshes.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Views, bodies_without_tets_show_the_triangles_of_their_surface) {
  const TriMesh sheet = rectangle_mesh(Vec3(0.5, 0.5, 0.5), Vec3(0.4, 0, 0), Vec3(0, 0, 0.3), 0.1);
  const Cover cover = sheet_cover(sheet.x, sheet.tris, 0.02);
  Replay replay;
  replay.scene.bodies.emplace_back().kind = BodyKind::shell;
  ReplayFrame frame;
  frame.bodies.push_back({.x = to_float(cover.mesh.x), .tris = cover.mesh.tris, .normals = {}, .v = {}, .fields = {}});
  std::vector<Prop> props;
  add_tets(props, replay, frame);
  ASSERT_EQ(props.size(), 1u);
  EXPECT_TRUE(props[0].tris == cover.mesh.tris);
  EXPECT_TRUE(props[0].x == frame.bodies[0].x);
  EXPECT_GT(props[0].material.line, 0);
  EXPECT_LT(props[0].material.line, 0.1) << "thinner than a triangle";
}

}  // namespace
}  // namespace coracle
