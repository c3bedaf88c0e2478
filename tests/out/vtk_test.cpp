#include "coracle/out/vtk.h"

#include "coracle/error.h"
#include "coracle/out/ply.h"
#include "coracle/shape/tet_io.h"
#include "coracle/shape/tri_mesh.h"
#include "temporary_directory.h"
#include "vtk_reader.h"

#include <gtest/gtest.h>

#include <cstring>

namespace coracle {
namespace {

TEST(Vtk, base64_is_that_of_rfc_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Vtk, arrays_decode_to_the_data_that_was_written) {
  const TemporaryDirectory dir;
  PolyData data;
  data.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.5f}};
  data.tris = {{0, 1, 2}, {0, 2, 3}};
  data.point_data = {vector_array("velocity", {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0.1f, 0.2f, 0.3f}}),
                     {"pressure", 1, std::vector<double>{0.1, 1e300, -0.0, 3}}};
  data.cell_data = {{"solid", 1, std::vector<std::int32_t>{7, -8}}};
  write_vtp(dir / "a.vtp", data);
  const std::string xml = read_file(dir / "a.vtp");

  EXPECT_EQ(attribute(xml, "header_type"), "UInt64");
  EXPECT_EQ(attribute(xml, "byte_order"), "LittleEndian");
  EXPECT_EQ(attribute(xml, "NumberOfPoints"), "4");
  EXPECT_EQ(attribute(xml, "NumberOfPolys"), "2");
  EXPECT_EQ(attribute(xml, "NumberOfVerts"), "0");
  EXPECT_EQ(array_values<float>(xml, "Points"), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5f}));
  EXPECT_EQ(array_values<float>(xml, "velocity"), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 0.1f, 0.2f, 0.3f}));
  EXPECT_EQ(array_values<double>(xml, "pressure"), (std::vector<double>{0.1, 1e300, -0.0, 3}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "solid"), (std::vector<std::int32_t>{7, -8}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "connectivity"), (std::vector<std::int32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "offsets"), (std::vector<std::int32_t>{3, 6}));
}

TEST(Vtk, points_without_triangles_are_one_cell_of_vertices) {
  const TemporaryDirectory dir;
  write_vtp(dir / "a.vtp", {{{0, 0, 0}, {1, 2, 3}}, {}, {}, {}});
  const std::string xml = read_file(dir / "a.vtp");
  EXPECT_EQ(attribute(xml, "NumberOfVerts"), "1");
  EXPECT_EQ(array_values<std::int32_t>(xml, "connectivity"), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "offsets"), (std::vector<std::int32_t>{2}));
}

TEST(Vtk, nothing_is_a_file_of_nothing) {
  const TemporaryDirectory dir;
  write_vtp(dir / "a.vtp", {{}, {}, {vector_array("velocity", {})}, {}});
  const std::string xml = read_file(dir / "a.vtp");
  EXPECT_EQ(attribute(xml, "NumberOfPoints"), "0");
  EXPECT_TRUE(array_values<float>(xml, "Points").empty());
}

TEST(Vtk, tets_decode_to_the_data_that_was_written) {
  const TemporaryDirectory dir;
  ElementData data;
  data.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.5f}, {1, 1, 1}};
  data.elements = {0, 1, 2, 3, 1, 2, 3, 4};
  data.point_data = {vector_array("velocity", std::vector<Vec3f>(5, Vec3f(1, 2, 0.1f))),
                     scalar_array("von_mises", {0.1, 2, 3, 4, -0.0})};
  data.cell_data = {scalar_array("von_mises", {1e30, 7})};
  write_vtu(dir / "a.vtu", data);
  const std::string xml = read_file(dir / "a.vtu");

  EXPECT_EQ(attribute(xml, "type"), "UnstructuredGrid");
  EXPECT_EQ(attribute(xml, "NumberOfPoints"), "5");
  EXPECT_EQ(attribute(xml, "NumberOfCells"), "2");
  EXPECT_EQ(array_values<float>(xml, "Points", "Points"),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5f, 1, 1, 1}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "connectivity", "Cells"),
            (std::vector<std::int32_t>{0, 1, 2, 3, 1, 2, 3, 4}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "offsets", "Cells"), (std::vector<std::int32_t>{4, 8}));
  EXPECT_EQ(array_values<std::uint8_t>(xml, "types", "Cells"), (std::vector<std::uint8_t>{10, 10}));
  EXPECT_EQ(array_values<float>(xml, "von_mises", "PointData"), (std::vector<float>{0.1f, 2, 3, 4, -0.0f}));
  EXPECT_EQ(array_values<float>(xml, "von_mises", "CellData"), (std::vector<float>{1e30f, 7}));
  EXPECT_EQ(array_values<float>(xml, "velocity", "PointData").size(), 15u);
}

TEST(Vtk, segments_and_triangles_are_cells_too) {
  const TemporaryDirectory dir;
  const std::vector<Vec3f> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const int nodes : {2, 3}) {
    ElementData data{x, nodes, {0, 1, 2, 1, 2, 3}, {}, {}};
    write_vtu(dir / "a.vtu", data);
    const std::string xml = read_file(dir / "a.vtu");
    const std::size_t cells = 6 / nodes;
    EXPECT_EQ(attribute(xml, "NumberOfCells"), std::to_string(cells));
    EXPECT_EQ(array_values<std::uint8_t>(xml, "types", "Cells"),
              std::vector<std::uint8_t>(cells, nodes == 2 ? 3 : 5));  // VTK_LINE, VTK_TRIANGLE
    EXPECT_EQ(array_values<std::int32_t>(xml, "offsets", "Cells").back(), 6);
  }
}

TEST(Vtk, tets_read_back_as_the_mesh_of_a_body) {
  const TemporaryDirectory dir;
  const TetMesh mesh = box_tets(Vec3(-0.5, 0, 1), Vec3(1.5, 1, 1.5), Vec3i(4, 2, 1), 5);  // corners exact in floats
  std::vector<std::int32_t> nodes;
  for (const Vec4i& t : mesh.tets) nodes.insert(nodes.end(), t.begin(), t.end());
  write_vtu(dir / "a.vtu", {to_float(mesh.x), 4, nodes, {}, {}});
  const TetMesh back = read_tet_mesh(dir / "a.vtu");
  EXPECT_TRUE(back.x == mesh.x);
  EXPECT_TRUE(back.tets == mesh.tets);
}

TEST(Vtk, an_index_names_files_and_their_times) {
  const TemporaryDirectory dir;
  write_pvd(dir / "a.pvd", {{0, "a.0000.vtp"}, {0.125, "a.0003.vtp"}});
  const std::string xml = read_file(dir / "a.pvd");
  EXPECT_NE(xml.find("<DataSet timestep=\"0.125\" group=\"\" part=\"0\" file=\"a.0003.vtp\"/>"), std::string::npos)
      << xml;
}

TEST(Ply, what_is_written_reads_back_to_the_same_bits) {
  const TemporaryDirectory dir;
  PlyMesh mesh{.x = {{0, 0, 0}, {1, 0, 0}, {0, 0.1f, 0}}, .tris = {{0, 1, 2}}};
  for (const int kind : {0, 1, 2}) {
    if (kind == 1) mesh.normals = point_normals(mesh.x, mesh.tris);
    if (kind == 2) mesh.v = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, mesh.fields = {{"von_mises", {1e5f, 2e-5f, 3}}};
    write_ply(dir / "a.ply", mesh);
    const PlyMesh back = read_ply(dir / "a.ply");
    EXPECT_TRUE(back.x == mesh.x && back.tris == mesh.tris && back.normals == mesh.normals && back.v == mesh.v);
    ASSERT_EQ(back.fields.size(), mesh.fields.size());
    if (kind == 2) {
      EXPECT_EQ(back.field("von_mises")->values, mesh.fields[0].values);
    }
  }
  EXPECT_TRUE(mesh.normals[1] == Vec3f::UnitZ());
}

TEST(Ply, others_read_it_too) {
  const TemporaryDirectory dir;
  const TriMesh ball = sphere_mesh(Vec3(0.25, 0.5, 0.125), 0.5, 0.2);
  PlyMesh mesh{.x = to_float(ball.x), .tris = ball.tris, .v = to_float(ball.x)};
  mesh.normals = point_normals(mesh.x, mesh.tris);
  write_ply(dir / "a.ply", mesh);
  const TriMesh back = read_tri_mesh(dir / "a.ply");  // Assimp
  EXPECT_EQ(back.tris.size(), ball.tris.size());
  EXPECT_NEAR(enclosed_volume(back), enclosed_volume(ball), 1e-6);
}

TEST(Ply, a_file_cut_short_or_of_another_kind_is_named) {
  const TemporaryDirectory dir;
  write_ply(dir / "a.ply", {.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .tris = {{0, 1, 2}}});
  const std::string bytes = read_file(dir / "a.ply");
  std::string other = bytes;
  other[bytes.size() - 4] = 9;  // a point that is not there
  for (const std::string& wrong :
       {bytes.substr(0, bytes.size() - 1), bytes.substr(0, 40), std::string("solid"), other}) {
    write_atomically(dir / "b.ply", wrong);
    try {
      read_ply(dir / "b.ply");
      ADD_FAILURE() << wrong.size();
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find("b.ply"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace coracle
