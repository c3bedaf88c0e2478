#include "coracle/base/files.h"
#include "coracle/base/parallel.h"
#include "coracle/shape/read_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>

namespace coracle {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw std::runtime_error(fmt::format("'{}' {}", file, reason));
}

// The words of a line, one after another.
struct Words {
  std::string_view rest;
  std::string_view next() {
    constexpr const char* blanks = " \t\r";
    const std::size_t begin = rest.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(rest.find_first_of(blanks, begin), rest.size());
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
  }
};

template <class T>
T number(std::string_view word, const std::string& file, int line) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = end == word.data() + word.size() || *end == '/';  // f 1/2/3: the first is the vertex
  if (error != std::errc() || !whole) refuse(file, fmt::format("has no number in line {}", line));
  return value;
}

// Vertices and faces of an OBJ file; faces with more corners become fans of triangles.
TriMesh read_obj(const std::string& file) {
  const std::string text = read_file(file);
  TriMesh mesh;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Words words{std::string_view(text).substr(begin, end - begin)};
    begin = end + 1;
    const std::string_view kind = words.next();
    if (kind == "v") {
      Vec3 x;
      for (int a = 0; a < 3; ++a) x[a] = number<double>(words.next(), file, line + 1);
      if (!x.allFinite()) refuse(file, "has coordinates that are not finite");
      mesh.x.push_back(x);
    } else if (kind == "f") {
      std::vector<int> corners;
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const int index = number<int>(word, file, line + 1);
        corners.push_back(index < 0 ? int(mesh.x.size()) + index : index - 1);
        if (corners.back() < 0) refuse(file, fmt::format("has an index out of range in line {}", line + 1));
      }
      for (std::size_t c = 2; c < corners.size(); ++c) mesh.tris.emplace_back(corners[0], corners[c - 1], corners[c]);
    }
  }
  for (const Vec3i& t : mesh.tris)
    if (t.maxCoeff() >= int(mesh.x.size())) refuse(file, "has a triangle with an index out of range");
  return mesh;
}

// The digits of a name that fits the pattern's run of #, at least as many as there are; empty if it does not fit.
std::string digits_of(const std::string& name, const std::string& before, const std::string& after, std::size_t least) {
  if (name.size() < before.size() + least + after.size() || !name.starts_with(before) || !name.ends_with(after))
    return "";
  const std::string digits = name.substr(before.size(), name.size() - before.size() - after.size());
  const bool longer = digits.size() > least && digits[0] == '0';
  return digits.find_first_not_of("0123456789") == std::string::npos && !longer && digits.size() <= 9 ? digits : "";
}

}  // namespace

bool is_sequence(const std::string& file) {
  std::error_code ignored;
  return fs::path(file).filename().string().find('#') != std::string::npos && !fs::exists(file, ignored);
}

std::vector<std::string> files_of_sequence(const std::string& pattern) {
  const std::string name = fs::path(pattern).filename().string();
  const std::size_t begin = name.find('#'), end = name.find_last_of('#') + 1;
  std::map<int, std::string> found;
  std::error_code ignored;
  const fs::path folder = fs::path(pattern).parent_path();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const std::string digits =
        digits_of(entry.path().filename().string(), name.substr(0, begin), name.substr(end), end - begin);
    if (!digits.empty()) found[std::stoi(digits)] = (folder / entry.path().filename()).string();
  }
  std::vector<std::string> files;
  files.reserve(found.size());
  for (auto& [number, file] : found) files.push_back(std::move(file));
  return files;
}

Character read_sequence(const std::string& pattern, double fps) {
  const std::vector<std::string> files = files_of_sequence(pattern);
  if (fs::path(pattern).extension() != ".obj") throw std::runtime_error("a sequence is one of .obj files");
  if (files.size() < 2)
    throw std::runtime_error(fmt::format("{} of its files found; a sequence needs two or more", files.size()));
  std::vector<TriMesh> meshes(files.size());
  for_each_index(
      files.size(), [&](std::size_t i) { meshes[i] = read_obj(files[i]); }, 1);
  Character character;
  character.clip = {.name = "", .length = double(files.size() - 1) / fps, .tracks = {}};
  character.rest = meshes[0];
  if (character.rest.tris.empty()) refuse(files[0], "has no triangles");
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (meshes[i].x.size() != character.rest.x.size() || meshes[i].tris != character.rest.tris)
      refuse(files[i], fmt::format("has other triangles than '{}' ({} vertices and {} triangles, not {} and {}): all "
                                   "files of a sequence must be one mesh whose vertices move",
                                   fs::path(files[0]).filename().string(), meshes[i].x.size(), meshes[i].tris.size(),
                                   character.rest.x.size(), character.rest.tris.size()));
    character.shots.push_back(std::move(meshes[i].x));
  }
  return character;
}

}  // namespace coracle
