// The scenes that come with coracle: <folder>/<name>/scene.toml.
#pragma once

#include <string>
#include <vector>

namespace coracle {

struct SceneInfo {
  std::string name, title, path;
  std::vector<std::string> presets;  // empty if it has none
};

// Sorted by name. The folder is the first that exists of $CORACLE_SCENES, the installed one, beside the program or the
// library, and the source tree's.
std::vector<SceneInfo> shipped_scenes();
// The scene file for the name of a shipped scene or for a path. Throws SceneError if neither exists.
std::string find_scene(const std::string& name_or_path);

}  // namespace coracle
