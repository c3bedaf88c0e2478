// Medit's .mesh (text) and .meshb (binary).
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace coracle {
namespace {

// Ignored sections, with their count of numbers per line.
constexpr std::array<std::pair<std::string_view, int>, 18> passed_over = {{{"Edges", 3},
                                                                           {"Triangles", 4},
                                                                           {"Quadrilaterals", 5},
                                                                           {"Corners", 1},
                                                                           {"Ridges", 1},
                                                                           {"RequiredVertices", 1},
                                                                           {"RequiredEdges", 1},
                                                                           {"RequiredTriangles", 1},
                                                                           {"RequiredQuadrilaterals", 1},
                                                                           {"RequiredTetrahedra", 1},
                                                                           {"Normals", 3},
                                                                           {"Tangents", 3},
                                                                           {"NormalAtVertices", 2},
                                                                           {"NormalAtTriangleVertices", 3},
                                                                           {"TangentAtVertices", 2},
                                                                           {"TangentAtEdges", 3},
                                                                           {"EdgeOnGeometricEdge", 2},
                                                                           {"VertexOnGeometricVertex", 2}}};

void pass_over(FileCursor& in, const std::string& section) {
  for (const auto& [name, numbers] : passed_over)
    if (section == name) {
      const std::size_t n = in.count(in.integer("a count"), 2 * std::size_t(numbers), "lines");
      for (std::size_t i = 0; i < n * std::size_t(numbers); ++i) in.number("a number");
      return;
    }
  for (const char* name : {"Hexahedra", "Hexaedra", "Prisms", "Pyramids", "Pentahedra"})
    if (section == name && in.integer("a count") != 0)
      in.fail(fmt::format("{}: only tetrahedra are read", section));
    else if (section == name)
      return;
  in.fail(fmt::format("the section {} is unknown", section.substr(0, 40)));
}

}  // namespace

NumberedTets read_medit(const std::string& file, std::string_view bytes) {
  FileCursor in(file, bytes);
  in.comment = '#';
  NumberedTets mesh;
  if (in.at_end() || in.word("MeshVersionFormatted") != "MeshVersionFormatted")
    in.fail("a Medit file begins with MeshVersionFormatted");
  in.integer("the version");
  while (!in.at_end()) {
    const std::string section(in.word("a section"));
    if (section == "End") break;
    if (section == "Dimension") {
      if (in.integer("the dimension") != 3) in.fail("only meshes of dimension 3 are read");
    } else if (section == "Vertices") {
      const std::size_t n = in.count(in.integer("the number of vertices"), 8, "vertices");
      for (std::size_t i = 0; i < n; ++i) {
        Vec3 p;
        for (int a = 0; a < 3; ++a) p[a] = in.number("a coordinate");
        in.number("a vertex's label");
        mesh.add_node(in, std::int64_t(mesh.x.size()) + 1, p);
      }
    } else if (section == "Tetrahedra") {
      const std::size_t n = in.count(in.integer("the number of tetrahedra"), 10, "tetrahedra");
      for (std::size_t i = 0; i < n; ++i) {
        std::int64_t corner[4];
        for (std::int64_t& c : corner) c = in.integer("a vertex of a tetrahedron");
        in.number("a tetrahedron's label");
        mesh.add_tet(std::int64_t(mesh.tet.size()) + 1, corner);
      }
    } else {
      pass_over(in, section);
    }
  }
  return mesh;
}

// A file is a chain of sections: keyword, position of the next section, content. Version 1 has floats, 2 doubles,
// 3 also 64-bit positions, 4 also 64-bit integers.
NumberedTets read_medit_binary(const std::string& file, std::string_view bytes) {
  enum Keyword { dimension = 3, vertices = 4, tetrahedra = 8, prisms = 9, hexahedra = 10, pyramids = 49, end = 54 };
  FileCursor in(file, bytes);
  in.binary = true;
  NumberedTets mesh;
  const auto code = in.raw<std::int32_t>("the byte order");
  if (code != 1) in.fail(code == 0x01000000 ? "the file was written in another byte order" : "this is no Medit file");
  const auto version = in.raw<std::int32_t>("the version");
  if (version < 1 || version > 4) in.fail(fmt::format("version {} is not read", version));
  const auto integer = [&](bool wide, const char* what) -> std::int64_t {
    return wide ? in.raw<std::int64_t>(what) : in.raw<std::int32_t>(what);
  };
  const std::size_t integer_bytes = version == 4 ? 8 : 4;
  while (!in.rest().empty()) {
    const auto keyword = in.raw<std::int32_t>("a section");
    if (keyword == end) break;
    const std::int64_t next = integer(version >= 3, "a section's end");
    if (keyword == dimension) {
      if (in.raw<std::int32_t>("the dimension") != 3) in.fail("only meshes of dimension 3 are read");
    } else if (keyword == vertices) {
      const std::size_t real_bytes = version == 1 ? 4 : 8;
      const std::size_t n = in.count(integer(version == 4, "a count"), 3 * real_bytes + integer_bytes, "vertices");
      for (std::size_t i = 0; i < n; ++i) {
        Vec3 p;
        for (int a = 0; a < 3; ++a)
          p[a] = version == 1 ? double(in.raw<float>("a coordinate")) : in.raw<double>("a coordinate");
        integer(version == 4, "a label");
        mesh.add_node(in, std::int64_t(mesh.x.size()) + 1, p);
      }
    } else if (keyword == tetrahedra) {
      const std::size_t n = in.count(integer(version == 4, "a count"), 5 * integer_bytes, "tetrahedra");
      for (std::size_t i = 0; i < n; ++i) {
        std::int64_t corner[4];
        for (std::int64_t& c : corner) c = integer(version == 4, "a tetrahedron");
        integer(version == 4, "a label");
        mesh.add_tet(std::int64_t(mesh.tet.size()) + 1, corner);
      }
    } else if (keyword == prisms || keyword == hexahedra || keyword == pyramids) {
      if (integer(version == 4, "a count") != 0) in.fail("prisms, hexahedra or pyramids: only tetrahedra are read");
    }
    if (next == 0) break;
    if (next < std::int64_t(in.position()) || std::size_t(next) > bytes.size())
      in.fail("the end of a section is out of range");
    in.go_to(std::size_t(next));
  }
  return mesh;
}

}  // namespace coracle
