#include "coracle/out/replay.h"

#include "coracle/error.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// A file that every frame contains: its name before and after the number of the frame.
struct FrameMarker {
  std::string file, extension = "ply";
};

// Empty if the scene asks for no such file.
FrameMarker frame_marker(const Scene& scene) {
  if (const Layer* surface = written_layer(scene, LayerKind::surface)) return {surface->file, surface->extension};
  if (scene.output.solids) {
    if (!scene.bodies.empty()) return {"body_" + scene.bodies.back().name};
    for (const SolidOptions& s : scene.solids)
      if (!s.motions.empty()) return {"solid_" + s.name};
  }
  if (const Layer* smoke = written_layer(scene, LayerKind::smoke)) return {smoke->file, smoke->extension};
  return {};
}

}  // namespace

std::string frame_path(const Replay& replay, const std::string& file, int frame, const std::string& extension) {
  return fmt::format("{}/frames/{}.{:04}.{}", replay.dir, file, frame, extension);
}

Replay open_replay(const std::string& dir, const std::vector<Override>& overrides) {
  std::vector<Problem> problems;
  for (const Override& o : overrides)
    if (!o.path.starts_with("camera.") && !o.path.starts_with("look."))
      problems.push_back({{"--set " + o.path + "=" + o.value, 0, 0},
                          "only camera and look can change now; the rest of the run is as it was simulated"});
  if (!problems.empty()) throw SceneError(std::move(problems));
  require_run(dir);
  Replay replay{dir, load_scene(scene_file(dir), overrides), {}};
  const FrameMarker marker = frame_marker(replay.scene);
  for (int f = 0; f <= replay.scene.time.frames && !marker.file.empty(); ++f)
    if (fs::exists(frame_path(replay, marker.file, f, marker.extension))) replay.frames.push_back(f);
  return replay;
}

ReplayFrame read_frame(const Replay& replay, int frame) {
  const Scene& scene = replay.scene;
  const auto existing = [&](const std::string& file, int f, const char* extension, const char* option) {
    const std::string path = frame_path(replay, file, f, extension);
    if (!fs::exists(path))
      throw RunError(fmt::format("{} is not there; run the scene again with output.{} = true", path, option));
    return path;
  };
  ReplayFrame result{.number = frame, .time = frame / scene.time.fps};
  for (const Layer& layer : written_layers(scene)) {
    const auto path = [&] { return existing(layer.file, frame, layer.extension, layer.option); };
    switch (layer.kind) {
      case LayerKind::surface:
        result.liquid = read_ply(path());
        break;
      case LayerKind::drops:  // missing in runs of older versions
        if (fs::exists(frame_path(replay, layer.file, frame, layer.extension))) result.drops = read_ply(path());
        break;
      case LayerKind::smoke:
        result.smoke = read_nrrd(path());
        break;
      case LayerKind::particles:  // see read_particles
      case LayerKind::volume:
        break;
    }
  }
  if (!scene.output.solids) return result;
  const auto read = [&](const std::string& file, int f) { return read_ply(existing(file, f, "ply", "solids")); };
  for (const SolidOptions& s : scene.solids)
    result.solids.push_back(read("solid_" + s.name, s.motions.empty() ? 0 : frame));
  for (const BodyOptions& b : scene.bodies) result.bodies.push_back(read("body_" + b.name, frame));
  return result;
}

PlyMesh read_particles(const Replay& replay, int frame) {
  if (!replay.scene.output.particles)
    throw RunError(fmt::format("{} kept no particles; run the scene with --set output.particles=true", replay.dir));
  return read_ply(frame_path(replay, "particles", frame, "ply"));
}

}  // namespace coracle
