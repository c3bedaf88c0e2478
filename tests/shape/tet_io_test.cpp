#include "coracle/shape/tet_io.h"
#include "coracle/base/random.h"
#include "coracle/shape/stuffing.h"
#include "tet_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace coracle {
namespace {

TetMesh ball() {
  ShapeOptions s;
  s.kind = ShapeKind::sphere;
  s.radius = 1;
  return shape_tets(s, 0.6);
}

struct Format {
  std::string name;
  std::function<std::string(const TetMesh&)> bytes;
};

// All but TetGen's, which take two files.
std::vector<Format> formats() {
  std::vector<Format> all;
  for (const bool binary : {false, true}) {
    all.push_back({binary ? "2_binary.msh" : "2_text.msh", [=](const TetMesh& m) { return as_msh2(m, binary); }});
    all.push_back({binary ? "4_binary.msh" : "4_text.msh", [=](const TetMesh& m) { return as_msh4(m, binary); }});
  }
  all.push_back({"text.mesh", as_medit});
  for (const int version : {1, 2, 3, 4})
    all.push_back({fmt::format("v{}.meshb", version), [=](const TetMesh& m) { return as_meshb(m, version); }});
  for (const VtuData kind : {VtuData::text, VtuData::base64, VtuData::appended_raw, VtuData::appended_base64})
    for (const bool wide : {false, true})
      all.push_back(
          {fmt::format("{}_{}.vtu", int(kind), wide), [=](const TetMesh& m) { return as_vtu(m, kind, wide); }});
  return all;
}

std::string refusal(const std::string& file) {
  try {
    read_tet_mesh(file);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

void expect_same(const TetMesh& read, const TetMesh& mesh, double tolerance, const std::string& what) {
  ASSERT_EQ(read.x.size(), mesh.x.size()) << what;
  for (std::size_t i = 0; i < mesh.x.size(); ++i) EXPECT_LE((read.x[i] - mesh.x[i]).norm(), tolerance) << what;
  EXPECT_EQ(read.tets, mesh.tets) << what;
}

TEST(TetIo, meshes_read_back_as_they_were_from_every_kind_of_file) {
  const TestFolder folder;
  const TetMesh mesh = ball();
  for (const Format& f : formats())
    expect_same(read_tet_mesh(folder.write(f.name, f.bytes(mesh))), mesh, f.name == "v1.meshb" ? 1e-7 : 0, f.name);
  for (const int first : {0, 1}) {
    const std::string nodes = folder.write("a.node", as_node(mesh, first));
    const std::string elements = folder.write("a.ele", as_ele(mesh, first));
    expect_same(read_tet_mesh(nodes), mesh, 0, "by the .node");
    expect_same(read_tet_mesh(elements), mesh, 0, "by the .ele");
  }
}

TEST(TetIo, tets_all_turned_the_wrong_way_are_turned_back_and_a_mix_is_refused) {
  const TestFolder folder;
  TetMesh mesh = ball();
  const TetMesh right = mesh;
  for (Vec4i& t : mesh.tets) std::swap(t[2], t[3]);
  for (const Format& f : formats())
    expect_same(read_tet_mesh(folder.write(f.name, f.bytes(mesh))), right, f.name == "v1.meshb" ? 1e-7 : 0, f.name);
  std::swap(mesh.tets[4][0], mesh.tets[4][1]);
  EXPECT_NE(refusal(folder.write("mix.mesh", as_medit(mesh)))
                .find("tetrahedron 5 is turned the other way than tetrahedron 1 "),
            std::string::npos);
}

TEST(TetIo, nodes_without_tets_and_touching_surfaces_are_refused_by_name) {
  const TestFolder folder;
  TetMesh mesh = ball();
  mesh.x.push_back({9, 9, 9});
  for (const Format& f : formats())
    EXPECT_NE(refusal(folder.write(f.name, f.bytes(mesh))).find("belongs to no tetrahedron"), std::string::npos)
        << f.name;
  EXPECT_NE(refusal(folder.write("a.msh", as_msh2(mesh, false))).find(fmt::format("node {} ", mesh.x.size() + 9)),
            std::string::npos)
      << "by the file's own number";
  TetMesh touching;
  touching.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  touching.tets = {{0, 1, 2, 3}, {0, 4, 6, 5}};
  EXPECT_NE(refusal(folder.write("b.mesh", as_medit(touching))).find("touches itself at node 0"), std::string::npos);
  mesh = ball();
  mesh.tets.push_back(mesh.tets.front());
  EXPECT_NE(refusal(folder.write("c.mesh", as_medit(mesh))).find("has a tetrahedron twice, 0 and "), std::string::npos);
}

TEST(TetIo, bad_files_are_refused_with_the_place_and_the_reason) {
  const TestFolder folder;
  const auto says = [&](const char* name, const std::string& bytes, const std::string& what) {
    const std::string reason = refusal(folder.write(name, bytes));
    EXPECT_NE(reason.find(what), std::string::npos) << name << ": " << reason;
  };
  const std::string medit = "MeshVersionFormatted 2\nDimension 3\nVertices 1\n";
  says("a.mesh", medit + "0 0 x 0\n", "a.mesh:4: 'x' where a coordinate should stand");
  says("a.mesh", medit + "0 0 nan 0\n", "a.mesh:4: 'nan' where a coordinate");
  says("a.mesh", medit + "0 0 # and no more", "the file ends where a coordinate should stand");
  says("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 1000000000000\n",
       "a.mesh:3: 1000000000000 vertices do not fit");
  says("a.mesh", "MeshVersionFormatted 2\nDimension 2\n", "a.mesh:2: only meshes of dimension 3");
  says("a.mesh", "MeshVersionFormatted 2\nHexahedra 1\n", "only tetrahedra are read");
  says("a.mesh", "MeshVersionFormatted 2\nNonsense 1\n", "Nonsense is unknown");
  says("a.mesh", "solid\n", "begins with MeshVersionFormatted");
  says("a.mesh", "MeshVersionFormatted 2\nEnd\n", "it has no tetrahedra");
  says("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n", "version 4 is not read; save it as 4.1 or 2.2");
  says("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 11 0 1 2\n", "only tetrahedra with four nodes");
  says("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n",
       "has a node 1, and there is none");
  says("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 0 0 1\n", "a.msh:7: a second node 1");
  says("a.msh", as_msh4(ball(), true).substr(0, 700), "byte ");
  says("a.vtu", "<VTKFile type=\"PolyData\">", "only files of type UnstructuredGrid");
  says("a.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">", "without compression");
  says("a.vtu", "<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\">", "another byte order");
  says("a.vtu", "hello", "begins with <VTKFile>");
  says("a.ele", "1 10 0\n", "a.node: no such file");
  folder.write("b.node", "1 3 0 0\n1 0 0 0\n");
  says("b.ele", "1 10 0\n1 1 1 1 1 1 1 1 1 1 1\n", "b.ele:1: only tetrahedra of 4 nodes are read, not of 10");
  says("a.stl", "", "cannot read '.stl' files");
  EXPECT_NE(refusal((folder.path / "none.msh").string()).find("no such file"), std::string::npos);
  EXPECT_NE(refusal(folder.path.string() + "/"), "");
}

TEST(TetIo, files_of_tets_are_known_by_their_ending) {
  for (const char* name : {"a.msh", "a.mesh", "a.meshb", "b/a.VTU", "a.node", "a.ele"}) EXPECT_TRUE(is_tet_file(name));
  for (const char* name : {"a.obj", "a.ply", "msh", "a.msh.stl"}) EXPECT_FALSE(is_tet_file(name));
}

TEST(TetIo, truncated_files_are_refused) {
  const TestFolder folder;
  const TetMesh mesh = ball();
  for (const Format& f : formats()) {
    const std::string bytes = f.bytes(mesh);
    for (const double share : {0.0, 0.1, 0.3, 0.5, 0.7})
      EXPECT_NE(refusal(folder.write(f.name, bytes.substr(0, std::size_t(share * double(bytes.size()))))), "")
          << f.name << " cut at " << share;
  }
}

TEST(TetIo, damaged_files_are_read_or_refused_and_nothing_else) {
  const TestFolder folder;
  const TetMesh mesh = box_tets(Vec3::Zero(), Vec3::Ones(), {1, 1, 1}, 5);
  std::vector<Format> all = formats();
  all.push_back({"a.ele", [](const TetMesh& m) { return as_ele(m, 1); }});
  all.push_back({"a.node", [](const TetMesh& m) { return as_node(m, 1); }});
  int refused = 0, tried = 0;
  for (const Format& f : all) {
    folder.write("a.ele", as_ele(mesh, 1));
    folder.write("a.node", as_node(mesh, 1));
    const std::string sound = f.bytes(mesh);
    for (std::uint64_t k = 0; k < 150; ++k) {
      std::string bytes = sound;
      const auto draw = [&](std::uint64_t i, std::size_t n) {
        return std::size_t(uniform(k * 64 + i, 99) * double(n));
      };
      for (std::uint64_t hit = 0; hit <= k % 4; ++hit) {
        const std::size_t at = draw(hit * 8, bytes.size());
        switch (draw(hit * 8 + 1, 5)) {
          case 0:
            bytes[at] = char(draw(hit * 8 + 2, 256));
            break;
          case 1:
            bytes[at] = "0123456789-e. <>$\"\xff"[draw(hit * 8 + 2, 19)];
            break;
          case 2:
            bytes.erase(at, draw(hit * 8 + 2, 20));
            break;
          case 3:
            bytes.insert(at, bytes.substr(draw(hit * 8 + 2, bytes.size()), 1 + draw(hit * 8 + 3, 30)));
            break;
          default:
            bytes.insert(at, "99999999999");
            break;
        }
        if (bytes.empty()) bytes = "0";
      }
      refused += refusal(folder.write(f.name, bytes)) != "";
      ++tried;
    }
  }
  EXPECT_GT(refused, tried / 2) << "most damage is seen";
}

}  // namespace
}  // namespace coracle
