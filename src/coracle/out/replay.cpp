#include "coracle/out/replay.h"

#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// Whether the frame is on disk. Files for all frames do not count: they do not tell one frame from another.
bool is_whole(const Replay& replay, int frame) {
  bool any = false;
  for (const FrameFile& f : frame_files(replay.scene, frame)) {
    if (f.frame != frame) continue;
    any = true;
    if (!fs::exists(frame_path(replay, f.file, f.frame, f.extension))) return false;
  }
  return any;
}

// Whether every frame has files of its own.
bool shows_motion(const Scene& scene) {
  const std::vector<FrameFile> files = frame_files(scene, 1);
  return std::any_of(files.begin(), files.end(), [](const FrameFile& f) { return f.frame == 1; });
}

void require_solids(const Replay& replay) {
  if (replay.scene.output.solids) return;
  throw RunError(fmt::format("{} kept no solids and bodies; run the scene with --set output.solids=true", replay.dir));
}

}  // namespace

std::vector<FrameFile> frame_files(const Scene& scene, int frame) {
  std::vector<FrameFile> files;
  for (const Layer& layer : written_layers(scene))
    if (layer.kind == LayerKind::surface || layer.kind == LayerKind::smoke)
      files.push_back({layer.file, layer.extension, frame});
  if (!scene.output.solids) return files;
  for (const SolidOptions& s : scene.solids) files.push_back({"solid_" + s.name, "ply", changes(scene, s) ? frame : 0});
  for (const BodyOptions& b : scene.bodies) files.push_back({"body_" + b.name, "ply", frame});
  return files;
}

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
  for (int f = 0; f <= replay.scene.time.frames && shows_motion(replay.scene); ++f)
    if (is_whole(replay, f)) replay.frames.push_back(f);
  return replay;
}

PlyMesh read_liquid(const Replay& replay, int frame) {
  const Layer* const layer = written_layer(replay.scene, LayerKind::surface);
  return layer ? read_ply(usable_file(replay, {layer->file, layer->extension, frame})) : PlyMesh{};
}

PlyMesh read_drops(const Replay& replay, int frame) {
  const Layer* const layer = written_layer(replay.scene, LayerKind::drops);
  if (!layer || !fs::exists(frame_path(replay, layer->file, frame, layer->extension))) return {};  // of older versions
  return read_ply(usable_file(replay, {layer->file, layer->extension, frame}));
}

PlyMesh read_solid(const Replay& replay, const SolidOptions& solid, int frame) {
  require_solids(replay);
  return read_ply(usable_file(replay, {"solid_" + solid.name, "ply", changes(replay.scene, solid) ? frame : 0}));
}

PlyMesh read_body(const Replay& replay, const BodyOptions& body, int frame) {
  require_solids(replay);
  return read_ply(usable_file(replay, {"body_" + body.name, "ply", frame}));
}

Volume read_smoke(const Replay& replay, int frame) {
  const Layer* const layer = written_layer(replay.scene, LayerKind::smoke);
  return layer ? read_nrrd(usable_file(replay, {layer->file, layer->extension, frame})) : Volume{};
}

ReplayFrame read_frame(const Replay& replay, int frame) {
  const Scene& scene = replay.scene;
  ReplayFrame result{.number = frame,
                     .time = frame / scene.time.fps,
                     .liquid = read_liquid(replay, frame),
                     .drops = read_drops(replay, frame),
                     .smoke = read_smoke(replay, frame)};
  if (!scene.output.solids) return result;
  for (const SolidOptions& s : scene.solids) result.solids.push_back(read_solid(replay, s, frame));
  for (const BodyOptions& b : scene.bodies) result.bodies.push_back(read_body(replay, b, frame));
  return result;
}

PlyMesh read_particles(const Replay& replay, int frame) {
  if (!replay.scene.output.particles)
    throw RunError(fmt::format("{} kept no particles; run the scene with --set output.particles=true", replay.dir));
  return read_ply(usable_file(replay, {"particles", "ply", frame}));
}

}  // namespace coracle
