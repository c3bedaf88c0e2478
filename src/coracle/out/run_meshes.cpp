#include "coracle/out/run_meshes.h"

#include "coracle/base/files.h"
#include "coracle/base/hash.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/check_fields.h"
#include "coracle/shape/mesh_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// The hash that a copy's path names; empty for another path.
std::string named_hash(const fs::path& path) {
  const fs::path folder = path.parent_path();
  const std::string hash = folder.filename().string();
  const bool is_copy = folder.parent_path().filename() == "meshes" && hash.size() == 16 &&
                       hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_copy ? hash : "";
}

MeshCopy read_mesh(const std::string& path) {
  MeshCopy copy;
  Hash hash;
  for (const std::string& file : files_of_mesh(path)) {
    copy.files.emplace_back(fs::path(file).lexically_relative(fs::path(path).parent_path()).string(), read_file(file));
    hash.add(copy.files.back().second);
  }
  const std::string named = named_hash(path);
  if (!named.empty() && named != hash.hex())
    throw RunError(fmt::format(
        "{} is not the mesh that the run was started with: its hash is {}, not {}; put the right file back, "
        "or start again from the original scene",
        path, hash.hex(), named));
  copy.path = fmt::format("meshes/{}/{}", hash.hex(), fs::path(path).filename().string());
  return copy;
}

}  // namespace

MeshCopies read_meshes(const Scene& scene) {
  MeshCopies meshes;
  Scene copy = scene;
  for_each_file(copy, [&](const std::string& path) {
    if (!meshes.contains(path)) meshes[path] = read_mesh(path);
  });
  return meshes;
}

void write_meshes(const std::string& dir, const MeshCopies& meshes) {
  for (const auto& [from, mesh] : meshes)
    for (const auto& [name, bytes] : mesh.files) {
      const fs::path to = (fs::path(dir) / mesh.path).parent_path() / name;
      if (fs::exists(to)) continue;  // read_meshes() has compared its hash
      make_directories(to.parent_path().string());
      write_atomically(to.string(), bytes);
    }
}

Scene with_copies(Scene scene, const MeshCopies& meshes, const std::string& up) {
  for_each_file(scene, [&](std::string& path) { path = up + meshes.at(path).path; });
  return scene;
}

void check_same_meshes(const std::string& dir, const MeshCopies& before, const MeshCopies& now,
                       const std::string& restart) {
  std::set<std::string> known;
  for (const auto& [path, mesh] : before) known.insert(mesh.path);
  for (const auto& [path, mesh] : now) {
    if (known.contains(mesh.path)) continue;
    for (const auto& [copied, old] : before)
      if (fs::path(path).filename() == fs::path(copied).filename())
        throw RunError(
            fmt::format("cannot resume {}: {} has changed since the run was started; put the old mesh back (its copy "
                        "is {}), resume with the scene of the run ({}), or {}",
                        dir, path, copied, scene_file(dir), restart));
  }
}

}  // namespace coracle
