// A binary DataArray is base64 of (UInt64 number of bytes, then the bytes), encoded as one piece.
#include "coracle/out/vtk.h"

#include "coracle/base/check.h"
#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fmt/format.h>

#include <bit>
#include <numeric>
#include <type_traits>

namespace coracle {
namespace {

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");
static_assert(sizeof(Vec3f) == 3 * sizeof(float) && sizeof(Vec3i) == 3 * sizeof(std::int32_t) &&
              sizeof(Vec4i) == 4 * sizeof(std::int32_t));

// VTK's number of an element with so many nodes.
std::uint8_t element_type(int nodes) {
  switch (nodes) {
    case 2:
      return 3;  // line
    case 3:
      return 5;  // triangle
    case 4:
      return 10;  // tetra
    default:
      CHECK(nodes == 10);
      return 24;  // quadratic tetra
  }
}

template <class T>
constexpr const char* vtk_type() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

// Names come from scenes and may contain any character: keep the XML valid.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

template <class T>
void add_array(std::string& xml, const std::string& name, int components, const T* values, std::size_t count) {
  const std::uint64_t bytes = count * sizeof(T);
  std::string raw(sizeof bytes + bytes, '\0');
  std::copy_n(reinterpret_cast<const char*>(&bytes), sizeof bytes, raw.begin());
  std::copy_n(reinterpret_cast<const char*>(values), bytes, raw.begin() + sizeof bytes);
  xml += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", vtk_type<T>(),
                     escaped(name), components);
  xml += base64(raw);
  xml += "\n</DataArray>\n";
}

void add_data(std::string& xml, const char* element, const std::vector<VtkArray>& arrays, std::size_t expected) {
  xml += fmt::format("<{}>\n", element);
  for (const VtkArray& array : arrays)
    std::visit(
        [&](const auto& values) {
          CHECK(values.size() == expected * array.components);
          add_array(xml, array.name, array.components, values.data(), values.size());
        },
        array.values);
  xml += fmt::format("</{}>\n", element);
}

void add_points(std::string& xml, const std::vector<Vec3f>& x) {
  xml += "<Points>\n";
  add_array(xml, "Points", 3, reinterpret_cast<const float*>(x.data()), 3 * x.size());
  xml += "</Points>\n";
}

// The end of each cell in the list of points, for `cells` cells of `corners` points.
std::vector<std::int32_t> ends_of(std::size_t cells, int corners) {
  std::vector<std::int32_t> ends(cells);
  for (std::size_t c = 0; c < cells; ++c) ends[c] = std::int32_t(corners * (c + 1));
  return ends;
}

// `types`: one per cell, for files that can hold several types.
void add_cells(std::string& xml, const char* element, const std::int32_t* points, std::size_t count,
               const std::vector<std::int32_t>& ends, const std::vector<std::uint8_t>* types = nullptr) {
  xml += fmt::format("<{}>\n", element);
  add_array(xml, "connectivity", 1, points, count);
  add_array(xml, "offsets", 1, ends.data(), ends.size());
  if (types) add_array(xml, "types", 1, types->data(), types->size());
  xml += fmt::format("</{}>\n", element);
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (j < have ? std::uint8_t(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) out += j <= have ? digits[word >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::vector<Vec3f> to_float(const std::vector<Vec3>& x) {
  std::vector<Vec3f> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i].cast<float>();
  return out;
}

VtkArray vector_array(std::string name, const std::vector<Vec3f>& v) {
  const float* first = v.empty() ? nullptr : v.front().data();
  return {std::move(name), 3, std::vector<float>(first, first + 3 * v.size())};
}

VtkArray scalar_array(std::string name, const std::vector<double>& values) {
  return {std::move(name), 1, std::vector<float>(values.begin(), values.end())};
}

void write_vtp(const std::string& path, const PolyData& data) {
  const bool cloud = data.tris.empty() && !data.x.empty();
  const std::size_t cells = cloud ? 1 : data.tris.size();
  std::string xml = "<?xml version=\"1.0\"?>\n";
  xml += "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  xml += fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      data.x.size(), cloud ? 1 : 0, data.tris.size());
  add_data(xml, "PointData", data.point_data, data.x.size());
  add_data(xml, "CellData", data.cell_data, cells);
  add_points(xml, data.x);
  if (cloud) {
    std::vector<std::int32_t> all(data.x.size());
    std::iota(all.begin(), all.end(), 0);
    add_cells(xml, "Verts", all.data(), all.size(), {std::int32_t(all.size())});
  } else {
    add_cells(xml, "Polys", reinterpret_cast<const std::int32_t*>(data.tris.data()), 3 * data.tris.size(),
              ends_of(data.tris.size(), 3));
  }
  xml += "</Piece>\n</PolyData>\n</VTKFile>\n";
  write_atomically(path, xml);
}

void write_vtu(const std::string& path, const ElementData& data) {
  const std::size_t cells = data.elements.size() / data.nodes;
  std::string xml = "<?xml version=\"1.0\"?>\n";
  xml += "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
  xml += fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", data.x.size(), cells);
  add_data(xml, "PointData", data.point_data, data.x.size());
  add_data(xml, "CellData", data.cell_data, cells);
  add_points(xml, data.x);
  const std::vector<std::uint8_t> types(cells, element_type(data.nodes));
  add_cells(xml, "Cells", data.elements.data(), data.elements.size(), ends_of(cells, data.nodes), &types);
  xml += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  write_atomically(path, xml);
}

void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n";
  xml += "<Collection>\n";
  for (const PvdEntry& entry : entries)
    xml +=
        fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time, escaped(entry.file));
  xml += "</Collection>\n</VTKFile>\n";
  write_atomically(path, xml);
}

}  // namespace coracle
