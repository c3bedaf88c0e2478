#include "coracle/shape/mesh_files.h"

#include "coracle/base/files.h"
#include "coracle/shape/read_character.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// Plain files beside the glTF file, or below it. Others are not copied.
std::vector<std::string> buffers_of(const std::string& path) {
  std::vector<std::string> files;
  const nlohmann::json gltf = nlohmann::json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (!gltf.is_object() || !gltf.contains("buffers") || !gltf["buffers"].is_array()) return files;
  for (const nlohmann::json& buffer : gltf["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const fs::path name = fs::path(buffer["uri"].get<std::string>()).lexically_normal();
    if (name.is_absolute() || name.empty() || *name.begin() == "..") continue;
    const fs::path file = fs::path(path).parent_path() / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) files.push_back(file.string());
  }
  return files;
}

}  // namespace

std::vector<std::string> files_of_mesh(const std::string& path) {
  if (is_sequence(path)) return files_of_sequence(path);
  std::vector<std::string> files{path};
  std::string kind = fs::path(path).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (kind == ".node") files.push_back(fs::path(path).replace_extension(".ele").string());
  if (kind == ".ele") files.push_back(fs::path(path).replace_extension(".node").string());
  if (kind == ".gltf")
    for (std::string& buffer : buffers_of(path)) files.push_back(std::move(buffer));
  return files;
}

}  // namespace coracle
