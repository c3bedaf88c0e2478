#include "app/commands.h"
#include "app/print.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/scenes.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {

int list_command() {
  const std::vector<SceneInfo> scenes = shipped_scenes();
  std::size_t width = 0;
  for (const SceneInfo& scene : scenes) width = std::max(width, scene.name.size());
  for (const SceneInfo& scene : scenes)
    print("{:<{}}  {}{}\n", scene.name, width, one_line(scene.title, longest_title),
          scene.presets.empty() ? "" : fmt::format(" ({})", fmt::join(scene.presets, ", ")));
  if (scenes.empty()) throw RunError("no scenes found; set CORACLE_SCENES to the folder that holds them");
  return 0;
}

}  // namespace coracle
