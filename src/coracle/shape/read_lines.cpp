#include "coracle/shape/read_lines.h"

#include "coracle/base/files.h"
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

namespace coracle {
namespace {

// For messages: a damaged file may contain any bytes.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
  return out + "'";
}

// Reads one line after the other; `at_` stands in the line that is being read.
class ObjLines {
 public:
  ObjLines(const std::string& file, std::string_view bytes) : at_(file, bytes) {}

  LineMesh read() {
    std::string_view rest = at_.rest();
    while (!rest.empty()) {
      const std::size_t start = at_.position(), end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));
      if (!words.empty() && words[0] == "v") add_vertex(words);
      if (!words.empty() && words[0] == "l") add_line(words);
      at_.go_to(start + std::min(end + 1, rest.size()));
      rest = at_.rest();
    }
    if (mesh_.segments.empty()) throw std::runtime_error("it has no lines: 'l' elements of an OBJ file");
    return std::move(mesh_);
  }

 private:
  static std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t end = 0;;) {
      const std::size_t begin = line.find_first_not_of(" \t\r", end);
      if (begin == std::string_view::npos) return words;
      end = std::min(line.find_first_of(" \t\r", begin), line.size());
      words.push_back(line.substr(begin, end - begin));
    }
  }

  // The number that a word stands for.
  template <class T>
  T value(std::string_view word, const char* what) const {
    if (word.starts_with('+')) word.remove_prefix(1);
    T found = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), found);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(double(found)))
      at_.fail(fmt::format("{} should stand in place of {}", what, quoted(word)));
    return found;
  }

  void add_vertex(const std::vector<std::string_view>& words) {
    if (words.size() < 4) at_.fail("a vertex needs three coordinates");
    std::array<double, 3> x{};
    for (int a = 0; a < 3; ++a) x[a] = value<double>(words[1 + a], "a coordinate") + 0.0;  // −0 becomes 0
    const auto [it, added] = known_.try_emplace(x, int(mesh_.x.size()));
    if (added) mesh_.x.emplace_back(x[0], x[1], x[2]);
    vertices_.push_back(it->second);
  }

  // Indices count from 1, negative ones back from the last vertex; what follows a '/' is a place in a texture.
  int vertex(std::string_view word) const {
    const std::int64_t index = value<std::int64_t>(word.substr(0, word.find('/')), "the number of a vertex");
    const std::int64_t count = std::int64_t(vertices_.size()), at = index > 0 ? index - 1 : count + index;
    if (index == 0 || at < 0 || at >= count)
      at_.fail(fmt::format("the line names vertex {}, and {} are given above", index, count));
    return vertices_[std::size_t(at)];
  }

  void add_line(const std::vector<std::string_view>& words) {
    if (words.size() < 3) at_.fail("a line needs two vertices");
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      const int a = vertex(words[i]), b = vertex(words[i + 1]);
      if (a == b) at_.fail(fmt::format("vertices {} and {} of the line are at the same place", words[i], words[i + 1]));
      if (!seen_.insert(std::minmax(a, b)).second)
        at_.fail(fmt::format("the segment from vertex {} to {} is there twice", words[i], words[i + 1]));
      mesh_.segments.push_back({a, b});
    }
  }

  FileCursor at_;
  LineMesh mesh_;
  std::vector<int> vertices_;                   // of the file: their index in the mesh
  std::map<std::array<double, 3>, int> known_;  // vertices by place
  std::set<std::pair<int, int>> seen_;          // segments
};

}  // namespace

LineMesh read_lines(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) throw std::runtime_error("no such file");
  std::string kind = fs::path(file).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (kind != ".obj")
    throw std::runtime_error(fmt::format("cannot read lines from '{}' files; lines are 'l' elements of .obj", kind));
  const std::string bytes = read_file(file);
  return ObjLines(file, bytes).read();
}

}  // namespace coracle
