// Meshes as files, for tests.
#pragma once

#include "coracle/shape/tri_mesh.h"

#include <unistd.h>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

namespace coracle {

// A folder that goes with the object.
struct TestFolder {
  std::filesystem::path path;
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "coracle_test_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};

inline std::string as_obj(const TriMesh& mesh) {
  std::ostringstream out;
  out << std::setprecision(9);
  for (const Vec3& x : mesh.x) out << "v " << x.x() << " " << x.y() << " " << x.z() << "\n";
  for (const Vec3i& t : mesh.tris) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  return out.str();
}

inline std::string as_ply(const TriMesh& mesh) {
  std::ostringstream out;
  out << std::setprecision(9) << "ply\nformat ascii 1.0\nelement vertex " << mesh.x.size()
      << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << mesh.tris.size()
      << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3& x : mesh.x) out << x.x() << " " << x.y() << " " << x.z() << "\n";
  for (const Vec3i& t : mesh.tris) out << "3 " << t[0] << " " << t[1] << " " << t[2] << "\n";
  return out.str();
}

template <class T>
void put_bytes(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

inline std::string as_binary_stl(const TriMesh& mesh) {
  std::string out(80, ' ');
  put_bytes(out, std::uint32_t(mesh.tris.size()));
  for (const Vec3i& t : mesh.tris) {
    put_bytes(out, Vec3f(0, 0, 0));
    for (int a = 0; a < 3; ++a) put_bytes(out, Vec3f(mesh.x[t[a]].cast<float>()));
    put_bytes(out, std::uint16_t(0));
  }
  return out;
}

// One buffer file beside it, given by name.
inline std::string as_gltf(const TriMesh& mesh, const std::string& buffer_name, std::string& buffer) {
  buffer.clear();
  Vec3 lo = mesh.x[0], hi = mesh.x[0];
  for (const Vec3& x : mesh.x) {
    put_bytes(buffer, Vec3f(x.cast<float>()));
    lo = lo.cwiseMin(x);
    hi = hi.cwiseMax(x);
  }
  for (const Vec3i& t : mesh.tris) put_bytes(buffer, t);
  const std::size_t vertices = 12 * mesh.x.size(), indices = 12 * mesh.tris.size();
  std::ostringstream out;
  out << R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
 "buffers": [{"uri": ")"
      << buffer_name << R"(", "byteLength": )" << vertices + indices << R"(}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": )"
      << vertices << R"(}, {"buffer": 0, "byteOffset": )" << vertices << R"(, "byteLength": )" << indices << R"(}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": )"
      << mesh.x.size() << R"(, "min": [)" << lo.x() << "," << lo.y() << "," << lo.z() << R"(], "max": [)" << hi.x()
      << "," << hi.y() << "," << hi.z() << R"(]},
  {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": )"
      << 3 * mesh.tris.size() << "}]}";
  return out.str();
}

}  // namespace coracle
