#include "coracle/show/obj.h"

#include "coracle/base/files.h"

#include <fmt/format.h>

#include <iterator>

namespace coracle {

void write_obj(const std::string& path, const PlyMesh& mesh, const std::string& name) {
  std::string text = fmt::format("# coracle; metres, y up\no {}\n", name);
  const auto to = std::back_inserter(text);
  const auto vectors = [&](const char* word, const std::vector<Vec3f>& list) {
    for (const Vec3f& x : list) fmt::format_to(to, "{} {} {} {}\n", word, x.x(), x.y(), x.z());
  };
  vectors("v", mesh.x);
  vectors("vn", mesh.normals);
  for (const Vec3i& t : mesh.tris) {
    const Vec3i n = t + Vec3i::Ones();  // counted from 1
    if (mesh.normals.empty())
      fmt::format_to(to, "f {} {} {}\n", n[0], n[1], n[2]);
    else
      fmt::format_to(to, "f {0}//{0} {1}//{1} {2}//{2}\n", n[0], n[1], n[2]);
  }
  if (mesh.tris.empty())
    for (std::size_t i = 1; i <= mesh.x.size(); ++i) fmt::format_to(to, "p {}\n", i);
  write_atomically(path, text);
}

}  // namespace coracle
