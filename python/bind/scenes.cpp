// Scenes: read, checked and written by the library.
#include "coracle/scene/scenes.h"
#include "bind/bind.h"
#include "coracle/out/checkpoint.h"
#include "coracle/world.h"

#include <pybind11/stl.h>

namespace coracle {
std::vector<Override> overrides_of(const Pairs& pairs) {
  std::vector<Override> all;
  for (const auto& [path, value] : pairs) all.push_back({path, value});
  return all;
}

void bind_scenes(py::module_& m) {
  py::class_<Scene>(m, "Scene")
      .def_readonly("title", &Scene::title)
      .def_property_readonly("frames", [](const Scene& s) { return s.time.frames; })
      .def_property_readonly("fps", [](const Scene& s) { return s.time.fps; })
      .def("to_toml", [](const Scene& s) { return to_toml(s); });
  m.def("find_scene", &find_scene);
  m.def("load_scene", [](const std::string& file, const Pairs& set, const std::string& preset) {
    const Outside others_go_on;
    return load_scene(file, overrides_of(set), preset);
  });
  m.def("parse_scene",
        [](const std::string& text, const std::string& name, const Pairs& set, const std::string& preset) {
          const Outside others_go_on;
          return parse_scene(text, name, overrides_of(set), preset);
        });
  m.def("scene_of_checkpoint", [](const std::string& file) { return parse_scene(read_checkpoint_scene(file), file); });
  m.def("newest_checkpoint", [](const std::string& dir) -> std::optional<std::string> {
    const Outside others_go_on;
    const std::optional<CheckpointState> newest = newest_checkpoint(dir);
    if (!newest) return std::nullopt;
    return newest->path;
  });
  m.def("shipped_scenes", [] {
    std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> all;
    for (const SceneInfo& s : shipped_scenes()) all.emplace_back(s.name, s.title, s.presets);
    return all;
  });
  m.def("scene_schema", &scene_schema);
}

}  // namespace coracle
