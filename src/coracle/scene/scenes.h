// The scenes that ship: <folder>/<name>/scene.toml.
#pragma once

#include <string>
#include <vector>

namespace coracle {

struct SceneInfo {
  std::string name, title, path;
  std::vector<std::string> presets;  // empty where it has none
};

// By name. Looked for in $CORACLE_SCENES, beside the installed program, in the source tree: the first that exists.
std::vector<SceneInfo> shipped_scenes();
// The file of a shipped scene's name, or of a path. Throws SceneError where there is neither.
std::string find_scene(const std::string& name_or_path);

}  // namespace coracle
