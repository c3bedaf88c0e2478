#include "coracle/out/ply.h"

#include "coracle/base/check.h"
#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <sstream>

namespace coracle {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says little endian");

constexpr const char* coordinates[] = {"x", "y", "z"};
constexpr std::size_t face_bytes = 1 + sizeof(Vec3i);

// The properties per point in the file's order: three per vector, one per field.
std::vector<std::string> properties(const PlyMesh& mesh) {
  std::vector<std::string> names;
  const auto vector = [&](const char* prefix) {
    for (const char* c : coordinates) names.push_back(std::string(prefix) + c);
  };
  vector("");
  if (!mesh.normals.empty()) vector("n");
  if (!mesh.v.empty()) vector("v");
  for (const PlyField& f : mesh.fields) names.push_back(f.name);
  return names;
}

// The header gives the length of the rest.
struct Header {
  std::size_t points = 0, tris = 0;
  std::vector<std::string> names;  // of the properties per point
  std::size_t start = 0;           // of the data

  bool fits(std::uintmax_t size) const {
    const std::uintmax_t left = size - start, row = names.size() * sizeof(float);
    return names.size() >= 3 && names[0] == "x" && points <= left / row && tris <= left / face_bytes &&
           left == points * row + tris * face_bytes;
  }
};

std::optional<Header> read_header(std::string_view bytes) {
  constexpr std::string_view last = "end_header\n";
  const std::size_t end = bytes.find(last);
  if (!bytes.starts_with("ply\nformat binary_little_endian 1.0\n") || end == std::string_view::npos)
    return std::nullopt;
  Header header;
  header.start = end + last.size();
  std::istringstream lines(std::string(bytes.substr(0, end)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, kind, name;
    words >> word >> kind;
    if (word == "element" && kind == "vertex") words >> header.points;
    if (word == "element" && kind == "face") words >> header.tris;
    if (word == "property" && kind == "float" && words >> name) header.names.push_back(name);
  }
  return header;
}

constexpr const char* channels[] = {"red", "green", "blue"};

}  // namespace

void set_colors(PlyMesh& mesh, const std::vector<Vec3f>& colors) {
  for (int a = 0; a < 3; ++a) {
    PlyField& field = mesh.fields.emplace_back();
    field.name = channels[a];
    for (const Vec3f& c : colors) field.values.push_back(c[a]);
  }
}

std::vector<Vec3f> colors_of(const PlyMesh& mesh) {
  std::vector<Vec3f> colors;
  for (int a = 0; a < 3; ++a) {
    const PlyField* field = mesh.field(channels[a]);
    if (!field) return {};
    colors.resize(field->values.size());
    for (std::size_t i = 0; i < colors.size(); ++i) colors[i][a] = field->values[i];
  }
  return colors;
}

void write_ply(const std::string& path, const PlyMesh& mesh) {
  const std::size_t points = mesh.x.size();
  CHECK(mesh.normals.empty() || mesh.normals.size() == points);
  CHECK(mesh.v.empty() || mesh.v.size() == points);
  for (const PlyField& f : mesh.fields) CHECK(f.values.size() == points);

  std::string bytes = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", points);
  const std::vector<std::string> names = properties(mesh);
  for (const std::string& name : names) bytes += fmt::format("property float {}\n", name);
  bytes += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.tris.size());
  bytes.reserve(bytes.size() + names.size() * sizeof(float) * points + face_bytes * mesh.tris.size());
  const auto add = [&](const auto* values, std::size_t size) {
    bytes.append(reinterpret_cast<const char*>(values), size);
  };
  for (std::size_t i = 0; i < points; ++i) {
    add(mesh.x[i].data(), sizeof(Vec3f));
    if (!mesh.normals.empty()) add(mesh.normals[i].data(), sizeof(Vec3f));
    if (!mesh.v.empty()) add(mesh.v[i].data(), sizeof(Vec3f));
    for (const PlyField& f : mesh.fields) add(&f.values[i], sizeof(float));
  }
  for (const Vec3i& t : mesh.tris) {
    bytes += '\3';
    add(t.data(), sizeof(Vec3i));
  }
  write_atomically(path, bytes);
}

std::string ply_damage(std::string_view head, std::uintmax_t size) {
  const std::optional<Header> header = read_header(head);
  if (!header) return "is not a binary PLY file of coracle";
  return header->fits(size) ? "" : "is cut short or was not written by coracle";
}

PlyMesh read_ply(const std::string& path) {
  const std::string bytes = read_file(path);
  const auto wrong = [&](const std::string& what) { return RunError(fmt::format("{} {}", path, what)); };
  if (const std::string damage = ply_damage(bytes, bytes.size()); !damage.empty()) throw wrong(damage);
  const Header header = *read_header(bytes);
  const std::vector<std::string>& names = header.names;
  const std::size_t points = header.points, tris = header.tris, start = header.start;
  const std::size_t row = names.size() * sizeof(float);

  PlyMesh mesh;
  const auto column = [&](std::size_t n, std::size_t i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + start + i * row + n * sizeof(float), sizeof value);
    return value;
  };
  for (std::size_t n = 0; n < names.size();) {
    std::vector<Vec3f>* vector = names[n] == "x"    ? &mesh.x
                                 : names[n] == "nx" ? &mesh.normals
                                 : names[n] == "vx" ? &mesh.v
                                                    : nullptr;
    if (vector != nullptr) {
      if (n + 3 > names.size()) throw wrong("has an incomplete vector");
      vector->resize(points);
      for (std::size_t i = 0; i < points; ++i) (*vector)[i] = {column(n, i), column(n + 1, i), column(n + 2, i)};
      n += 3;
    } else {
      PlyField& field = mesh.fields.emplace_back(PlyField{names[n], std::vector<float>(points)});
      for (std::size_t i = 0; i < points; ++i) field.values[i] = column(n, i);
      n += 1;
    }
  }
  mesh.tris.resize(tris);
  for (std::size_t t = 0; t < tris; ++t) {
    const char* at = bytes.data() + start + points * row + t * face_bytes;
    std::memcpy(mesh.tris[t].data(), at + 1, sizeof(Vec3i));
    if (*at != 3 || mesh.tris[t].minCoeff() < 0 || std::size_t(mesh.tris[t].maxCoeff()) >= points)
      throw wrong(fmt::format("has an invalid face {}: not a triangle of its points", t));
  }
  return mesh;
}

std::vector<Vec3f> point_normals(const std::vector<Vec3f>& x, const std::vector<Vec3i>& tris) {
  std::vector<Vec3f> normals(x.size(), Vec3f::Zero());
  for (const Vec3i& t : tris) {
    const Vec3f n = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
    if (n.squaredNorm() == 0) continue;
    for (int i = 0; i < 3; ++i) {
      const Vec3f a = x[t[(i + 1) % 3]] - x[t[i]], b = x[t[(i + 2) % 3]] - x[t[i]];
      normals[t[i]] += std::atan2(n.norm(), a.dot(b)) * n.normalized();
    }
  }
  for (Vec3f& n : normals) n = n.squaredNorm() > 0 ? Vec3f(n.normalized()) : Vec3f::UnitY();
  return normals;
}

}  // namespace coracle
