// What is wrong with the mesh of a body is told with its file, the body and a remedy.
#include "../shape/tet_files.h"
#include "coracle/scene.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

class BodyMeshes : public testing::Test {
 protected:
  // What a scene is told whose body has this file, which must be one problem. More keys of the body may follow.
  std::string told(const std::string& file, const std::string& more = "", const char* table = "body") const {
    std::string all;
    try {
      parse_scene(std::string("[[") + table + "]]\nname = 'toy'\nshape = 'mesh'\nfile = '" + file + "'\n" + more,
                  (folder.path / "s.toml").string());
    } catch (const SceneError& error) {
      for (const Problem& p : error.problems) all += p.text() + "\n";
    }
    return all;
  }
  void expect_told(const std::string& file, const std::string& what, const std::string& more = "") const {
    const std::string all = told(file, more);
    for (const std::string& part : {what, std::string("the body 'toy'"), file})
      EXPECT_NE(all.find(part), std::string::npos) << part << " is not in: " << all;
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
  }
  std::string write(const std::string& name, const TriMesh& mesh) const {
    folder.write(name, as_obj(mesh));
    return name;
  }
  std::string write(const std::string& name, const TetMesh& mesh) const {
    folder.write(name, as_medit(mesh));
    return name;
  }

  TestFolder folder;
  const TriMesh ball = sphere_mesh({0.5, 0.5, 0.5}, 0.2, 0.1);
  const TetMesh cube = box_tets(Vec3::Constant(0.3), Vec3::Constant(0.6), {2, 2, 2}, 6);
};

template <class Mesh>
Mesh scaled(Mesh mesh, double scale) {
  for (Vec3& x : mesh.x) x *= scale;
  return mesh;
}

TEST_F(BodyMeshes, sound_files_have_no_problem) {
  EXPECT_EQ(told(write("a.obj", ball)), "");
  EXPECT_EQ(told(write("a.mesh", cube)), "");
  folder.write("a.meshb", as_meshb(cube, 2));
  EXPECT_EQ(told("a.meshb"), "");
}

TEST_F(BodyMeshes, an_open_surface_a_doubled_triangle_and_a_flipped_one_are_refused) {
  TriMesh mesh = ball;
  mesh.tris.pop_back();
  expect_told(write("open.obj", mesh), "is not closed");
  mesh = ball;
  mesh.tris.push_back(mesh.tris[3]);
  expect_told(write("doubled.obj", mesh), "twice (1 such triangles); delete doubled faces");
  mesh = ball;
  std::swap(mesh.tris[3][0], mesh.tris[3][1]);
  expect_told(write("flipped.obj", mesh), "turned opposite ways");
  mesh = ball;
  mesh.x.push_back(mesh.x[mesh.tris[3][0]] + Vec3::Constant(1e-6));
  mesh.tris[3][0] = int(mesh.x.size()) - 1;
  expect_told(write("vertices.obj", mesh), "not joined (4 open edges); merge vertices by distance");
}

TEST_F(BodyMeshes, wrong_tetrahedra_are_refused) {
  TetMesh mesh = cube;
  std::swap(mesh.tets[3][0], mesh.tets[3][1]);
  expect_told(write("flipped.mesh", mesh), "tetrahedron 4 is turned the other way");
  mesh = cube;
  mesh.tets.push_back(mesh.tets[3]);
  expect_told(write("doubled.mesh", mesh), "has a tetrahedron twice");
  mesh = cube;
  mesh.x.push_back(mesh.x[mesh.tets[47][3]]);
  mesh.tets[47][3] = int(mesh.x.size()) - 1;
  expect_told(write("nodes.mesh", mesh), "two nodes at the same place");
}

TEST_F(BodyMeshes, a_file_that_cannot_be_read_is_named) {
  folder.write("half.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n");
  expect_told("half.obj", "cannot be read");
  folder.write("half.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n");
  expect_told("half.msh", "cannot be read: ");
  folder.write("half.vtu", "hello");
  expect_told("half.vtu", "begins with <VTKFile>");
  folder.write("a.obj", as_obj(ball));
  folder.write("shown.obj", "nothing");
  const std::string shown = told("a.obj", "render = 'shown.obj'\n");
  EXPECT_NE(shown.find("shown.obj' to show for the body 'toy' cannot be read"), std::string::npos) << shown;
  folder.write("held.obj", "nothing");
  const std::string held = told("a.obj", "[[body.hold]]\n[[body.hold.region]]\nshape = 'mesh'\nfile = 'held.obj'\n");
  EXPECT_NE(held.find("held.obj' of a hold of the body 'toy' cannot be read"), std::string::npos) << held;
}

TEST_F(BodyMeshes, a_mesh_outside_the_domain_or_in_other_units_is_told_so) {
  expect_told(write("a.obj", ball), "reaches out of the domain in y: to 1.0899 m", "translate = [0, 0.39, 0]\n");
  expect_told(write("a.mesh", cube), "reaches out of the domain in x: to -0.1 m, beyond 0 m; change 'translate'",
              "translate = [-0.4, 0, 0]\n");
  expect_told(write("mm.obj", scaled(ball, 1000)), "if the file is in millimetres, set scale = 0.001");
  expect_told(write("mm.mesh", scaled(cube, 1000)), "if the file is in millimetres, set scale = 0.001");
  EXPECT_EQ(told("mm.mesh", "scale = 0.001\n"), "");
  expect_told("a.obj", "if the file is in millimetres, set scale = 0.1", "scale = 100\n");
  expect_told(write("km.obj", scaled(ball, 0.001)), "0.0004 times the domain: lengths are in metres; if it should be");
  expect_told("km.obj", "set scale = 1000");
  expect_told("a.mesh", "set scale = 1", "scale = 0.001\n");
  const std::string solid = told("km.obj", "", "solid");
  EXPECT_NE(solid.find("of the solid 'toy' is 0.0004 m long"), std::string::npos) << solid;
  folder.write("apart.obj", as_obj(scaled(ball, 1000)));
  EXPECT_NE(told("a.mesh", "render = 'apart.obj'\n").find("lies apart from it"), std::string::npos);
}

TEST_F(BodyMeshes, a_mesh_that_would_be_filled_with_too_many_tetrahedra_is_named) {
  expect_told(write("a.obj", ball), "tetrahedra, and 1e+07 are the most; use an edge of", "edge = 0.0005\n");
}

TEST_F(BodyMeshes, tetrahedra_are_for_bodies) {
  write("a.mesh", cube);
  const std::string solid = told("a.mesh", "", "solid");
  EXPECT_NE(solid.find("a.mesh' of the solid 'toy' holds tetrahedra"), std::string::npos) << solid;
}

TEST(BodyCount, absurd_numbers_of_tetrahedra_are_refused_with_an_edge_that_works) {
  Scene scene;
  BodyOptions& body = scene.bodies.emplace_back();
  body.name = "pea";
  body.shape.kind = ShapeKind::sphere;
  body.shape.center = Vec3::Constant(0.5), body.shape.radius = 0.1;
  // 12 · 4/3 π 0.1³ / 0.001³ = 5.0e7; a cube root of 5 larger an edge gives a fifth.
  body.edge = 0.001;
  std::vector<Problem> problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(),
            "body[0].edge: an edge of 0.001 m would give the body 'pea' about 5e+07 tetrahedra, and 1e+07 are the "
            "most; use an edge of 0.0018 m");
  body.edge = 0.0018;
  EXPECT_TRUE(validate(scene).empty());
  body.mesh = BodyMesh::grid6;
  body.shape.kind = ShapeKind::box, body.shape.size = Vec3::Constant(0.2);
  body.cells = Vec3i::Constant(4000);
  problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("4000 x 4000 x 4000 cubes would give the body 'pea' 3.8e+11 tetrahedra"),
            std::string::npos)
      << problems[0].message;
}

}  // namespace
}  // namespace coracle
