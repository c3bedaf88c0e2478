#include "coracle/scene/override.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/table_reader.h"
#include "coracle/scene/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace coracle {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;  // bytes: a scene is text for people

// In the order of the file; what has no line (overrides) comes last. The same thing is said once.
void sort_problems(std::vector<Problem>& problems) {
  const auto key = [](const Problem& p) { return std::tuple(p.place.line == 0, p.place.line, p.place.column); };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
  const auto same = [](const Problem& a, const Problem& b) { return a.text() == b.text(); };
  problems.erase(std::unique(problems.begin(), problems.end(), same), problems.end());
}

std::string read_text(const std::string& file) {
  namespace fs = std::filesystem;
  const auto fail = [&](const char* reason) { throw SceneError({{{file, 0, 0}, reason}}); };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) fail("no such file");
  if (!fs::is_regular_file(file, ignored)) fail("not a file");
  if (fs::file_size(file, ignored) > largest_file) fail("too large for a scene (64 MiB at most)");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in && !in.eof()) fail("cannot be read");
  return std::move(text).str();
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  toml::table root = parse_toml(text, name);
  Reading reading{name, std::filesystem::path(name).parent_path().string(), {}, {}};
  for (const Override& o : overrides) apply_override(root, o, reading.problems);

  Scene scene;
  TableReader reader(reading, root, "the scene", "", Place{name, 1, 1}, 0);
  fields(reader, scene);
  reader.finish();

  const std::vector<Problem> broken = validate(scene, reading.places);
  reading.problems.insert(reading.problems.end(), broken.begin(), broken.end());
  sort_problems(reading.problems);
  if (!reading.problems.empty()) throw SceneError(std::move(reading.problems));
  return scene;
}

Scene load_scene(const std::string& file, const std::vector<Override>& overrides) {
  return parse_scene(read_text(file), file, overrides);
}

}  // namespace coracle
