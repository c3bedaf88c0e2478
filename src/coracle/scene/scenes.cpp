#include "coracle/scene/scenes.h"

#include "coracle/error.h"
#include "coracle/scene/include.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/preset.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// The file that holds this code: a program, a shared library or a Python module.
fs::path own_file() {
  Dl_info found{};
  std::error_code ignored;
  return dladdr(reinterpret_cast<void*>(&own_file), &found) && found.dli_fname ? fs::absolute(found.dli_fname, ignored)
                                                                               : fs::path();
}

fs::path scenes_folder() {
  std::vector<fs::path> candidates;
  if (const char* given = std::getenv("CORACLE_SCENES"); given && *given) candidates.emplace_back(given);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) candidates.push_back(program.parent_path().parent_path() / "share/coracle/scenes");
  // A library or module is installed below lib/, beside share/.
  for (fs::path folder = own_file().parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "lib") {
      candidates.push_back(folder.parent_path() / "share/coracle/scenes");
      break;
    }
#ifdef CORACLE_SOURCE_SCENES
  candidates.emplace_back(CORACLE_SOURCE_SCENES);
#endif
  for (const fs::path& folder : candidates)
    if (fs::is_directory(folder, ignored)) return folder;
  return {};
}

SceneInfo describe(const fs::path& file) {
  SceneInfo info{file.parent_path().filename().string(), "", file.string(), {}};
  try {
    const toml::table root = SceneText(read_toml_text(file.string()), file.string()).parse();
    info.title = root["title"].value_or(std::string());
    info.presets = preset_names(root);
  } catch (const SceneError&) {
    info.title = "(cannot be read; coracle check says why)";
  }
  return info;
}

// The scene of a scene's or a run's folder.
std::string scene_in_folder(const std::string& folder) {
  const fs::path file = fs::path(folder) / "scene.toml";
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return file.string();
  std::vector<std::string> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".toml" && others.size() < 5) others.push_back(entry.path().string());
  std::sort(others.begin(), others.end());
  const std::string hint = others.empty() ? "give a .toml file, or the name of a shipped scene (coracle list)"
                                          : fmt::format("give one of its files: {}", fmt::join(others, ", "));
  throw SceneError({{{folder, 0, 0}, fmt::format("it is a folder without a scene.toml; {}", hint)}});
}

}  // namespace

std::vector<SceneInfo> shipped_scenes() {
  std::vector<SceneInfo> scenes;
  std::error_code ignored;
  const fs::path folder = scenes_folder();
  if (folder.empty()) return scenes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path file = entry.path() / "scene.toml";
    if (fs::is_regular_file(file, ignored)) scenes.push_back(describe(file));
  }
  std::sort(scenes.begin(), scenes.end(), [](const SceneInfo& a, const SceneInfo& b) { return a.name < b.name; });
  return scenes;
}

std::string find_scene(const std::string& name_or_path) {
  std::error_code ignored;
  const bool bare = name_or_path.find('/') == std::string::npos && !name_or_path.ends_with(".toml");
  if (!bare) {
    if (fs::is_regular_file(name_or_path, ignored)) return name_or_path;
    if (fs::is_directory(name_or_path, ignored)) return scene_in_folder(name_or_path);
    throw SceneError({{{name_or_path, 0, 0}, "no such file"}});
  }
  std::vector<std::string> names;
  for (const SceneInfo& scene : shipped_scenes()) {
    if (scene.name == name_or_path) return scene.path;
    names.push_back(scene.name);
  }
  if (fs::is_regular_file(name_or_path, ignored)) return name_or_path;
  if (fs::is_directory(name_or_path, ignored)) return scene_in_folder(name_or_path);
  std::string hint = did_you_mean(name_or_path, names);
  if (hint.empty() && !names.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
  throw SceneError(
      {{{name_or_path, 0, 0}, fmt::format("no scene of that name ships, and there is no such file{}", hint)}});
}

}  // namespace coracle
