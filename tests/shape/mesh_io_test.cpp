#include "coracle/shape/isolated.h"
#include "mesh_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace coracle {
namespace {

void expect_same_surface(const std::string& file, const TriMesh& mesh) {
  const TriMesh read = read_tri_mesh(file);
  EXPECT_EQ(closedness_problem(read), "") << file;
  EXPECT_EQ(read.x.size(), mesh.x.size()) << file;
  EXPECT_EQ(read.tris.size(), mesh.tris.size()) << file;
  EXPECT_NEAR(enclosed_volume(read), enclosed_volume(mesh), 1e-6) << "files hold floats: " << file;
}

std::string refusal(const std::string& file) {
  try {
    return closedness_problem(read_tri_mesh(file));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(MeshIo, meshes_read_back_closed_from_every_kind_of_file) {
  const TestFolder folder;
  for (const TriMesh& mesh : {sphere_mesh({1, 2, 3}, 0.5, 0.2), box_mesh({-1, -1, -1}, {1, 2, 3})}) {
    expect_same_surface(folder.write("a.obj", as_obj(mesh)), mesh);
    expect_same_surface(folder.write("a.ply", as_ply(mesh)), mesh);
    expect_same_surface(folder.write("a.stl", as_binary_stl(mesh)), mesh);
    std::string buffer;
    const std::string gltf = as_gltf(mesh, "a.bin", buffer);
    folder.write("a.bin", buffer);
    expect_same_surface(folder.write("a.gltf", gltf), mesh);
  }
}

TEST(MeshIo, a_mesh_inside_out_is_turned) {
  const TestFolder folder;
  TriMesh mesh = box_mesh(Vec3::Zero(), Vec3::Ones());
  for (Vec3i& t : mesh.tris) std::swap(t[0], t[1]);
  EXPECT_NEAR(enclosed_volume(read_tri_mesh(folder.write("a.obj", as_obj(mesh)))), 1, 1e-6);
}

TEST(MeshIo, quads_become_triangles) {
  const TestFolder folder;
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
      "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  const TriMesh mesh = read_tri_mesh(folder.write("a.obj", obj));
  EXPECT_EQ(closedness_problem(mesh), "");
  EXPECT_EQ(mesh.tris.size(), 12u);
}

TEST(MeshIo, coordinates_may_begin_with_their_point) {
  const TestFolder folder;
  const std::string obj = "v 0 0 0\nv .5 0 0\nv 0 +.5 0\nv 0\t0 -.5\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
  EXPECT_NEAR(enclosed_volume(read_tri_mesh(folder.write("a.obj", obj))), 0.125 / 6, 1e-9);
}

TEST(MeshIo, holes_garbage_and_truncated_files_are_refused_with_a_reason) {
  const TestFolder folder;
  const TriMesh ball = sphere_mesh(Vec3::Zero(), 1, 0.5);
  TriMesh holed = ball;
  holed.tris.pop_back();
  EXPECT_NE(refusal(folder.write("hole.obj", as_obj(holed))).find("is not closed"), std::string::npos);
  EXPECT_NE(refusal(folder.write("hole.stl", as_binary_stl(holed))).find("is not closed"), std::string::npos);
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += char(i * 7919 >> 3);
  for (const char* kind : {"obj", "ply", "stl", "gltf", "glb"}) {
    EXPECT_NE(refusal(folder.write(std::string("garbage.") + kind, garbage)), "") << kind;
    EXPECT_NE(refusal(folder.write(std::string("empty.") + kind, "")), "") << kind;
  }
  const std::string obj = as_obj(ball), ply = as_ply(ball), stl = as_binary_stl(ball);
  EXPECT_NE(refusal(folder.write("half.obj", obj.substr(0, obj.size() * 3 / 4))), "");
  EXPECT_NE(refusal(folder.write("half.ply", ply.substr(0, ply.size() * 3 / 4))), "");
  EXPECT_NE(refusal(folder.write("half.stl", stl.substr(0, stl.size() * 3 / 4))), "");
}

TEST(MeshIo, a_count_that_no_file_of_its_size_can_hold_is_told_so) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer ends a process that asks for so much";
#endif
  const TestFolder folder;
  std::string ply = as_ply(sphere_mesh(Vec3::Zero(), 1, 0.5));
  const std::string count = "element vertex ";
  ply.insert(ply.find(count) + count.size(), "99999999");
  EXPECT_NE(refusal(folder.write("a.ply", ply)).find("much more memory than a file of its size needs"),
            std::string::npos);
}

TEST(MeshIo, a_reader_that_dies_or_never_ends_is_a_reason_too) {
  const auto reason = [](const std::function<std::string()>& f) {
    try {
      return run_isolated(f, std::size_t(1) << 28, 0.2);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(reason([] { return std::string(1 << 20, 'x'); }), std::string(1 << 20, 'x'));
  EXPECT_EQ(reason([]() -> std::string { throw std::runtime_error("because"); }), "because");
  EXPECT_EQ(reason([]() -> std::string { std::abort(); }), "it is damaged: the reader failed on it");
  EXPECT_EQ(reason([]() -> std::string {
              volatile bool on = true;
              while (on) {
              }
              return "";
            }),
            "it is damaged: the reader did not end within 0.2 s");
}

TEST(MeshIo, only_known_kinds_of_files_are_opened) {
  const TestFolder folder;
  EXPECT_NE(refusal(folder.write("a.blend", "x")).find(".obj, .ply, .stl, .gltf or .glb"), std::string::npos);
  EXPECT_EQ(refusal(folder.path / "none.obj"), "no such file");
  EXPECT_EQ(refusal(folder.path), "not a file");
}

}  // namespace
}  // namespace coracle
