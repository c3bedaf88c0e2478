#include "coracle/out/ply.h"

#include "coracle/base/error.h"
#include "coracle/base/files.h"

#include <fmt/format.h>

#include <bit>

namespace coracle {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says little endian");

template <class V>
void add(std::string& bytes, const V& vector) {
  bytes.append(reinterpret_cast<const char*>(vector.data()), sizeof(V));
}

}  // namespace

void write_ply(const std::string& path, const std::vector<Vec3f>& x, const std::vector<Vec3i>& tris,
               const std::vector<Vec3f>& normals) {
  CHECK(normals.empty() || normals.size() == x.size());
  std::string bytes = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", x.size());
  for (const char* name : {"x", "y", "z"}) bytes += fmt::format("property float {}\n", name);
  if (!normals.empty())
    for (const char* name : {"nx", "ny", "nz"}) bytes += fmt::format("property float {}\n", name);
  bytes += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", tris.size());
  bytes.reserve(bytes.size() + 12 * (x.size() + normals.size()) + 13 * tris.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    add(bytes, x[i]);
    if (!normals.empty()) add(bytes, normals[i]);
  }
  for (const Vec3i& t : tris) {
    bytes += '\3';
    add(bytes, t);
  }
  write_atomically(path, bytes);
}

}  // namespace coracle
