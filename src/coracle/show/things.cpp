#include "coracle/show/things.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/frames.h"
#include "coracle/scene/layers.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace coracle {
namespace {

// None if coracle does not read such a layer back.
std::optional<ThingKind> thing_kind(LayerKind layer) {
  switch (layer) {
    case LayerKind::surface:
      return ThingKind::water;
    case LayerKind::drops:
      return ThingKind::drops;
    case LayerKind::smoke:
      return ThingKind::smoke;
    case LayerKind::particles:
      return ThingKind::particles;
    case LayerKind::volume:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Thing> things_of(const Scene& scene) {
  std::vector<Thing> things;
  for (const Layer& layer : written_layers(scene))
    if (const std::optional<ThingKind> kind = thing_kind(layer.kind))
      things.push_back({.kind = *kind, .name = layer.name, .file = layer.file, .extension = layer.extension});
  if (scene.output.solids) {
    for (const SolidOptions& s : scene.solids)
      things.push_back({.kind = ThingKind::solid,
                        .name = s.name,
                        .file = "solid_" + s.name,
                        .moves = changes(scene, s),
                        .container = s.container});
    for (const BodyOptions& b : scene.bodies)
      things.push_back({.kind = ThingKind::body, .name = b.name, .file = "body_" + b.name});
  }
  // A frame writes its particles last.
  std::stable_partition(things.begin(), things.end(), [](const Thing& t) { return t.kind != ThingKind::particles; });
  return things;
}

void copy_file(const std::string& from, const std::string& to) {
  PendingFile pending(to);
  std::error_code error;
  std::filesystem::copy_file(from, pending.temporary(), error);
  if (error) file_error("write", to, error.value());
  pending.commit(Durable::no);
}

PlyMesh read_thing(const Replay& replay, const Thing& thing, int frame) {
  return read_ply(usable_file(replay, {thing.file, thing.extension, thing.moves ? frame : 0}));
}

std::vector<int> frames_with(const Replay& replay, const std::string& file, const std::string& extension) {
  std::vector<int> frames;
  for (int f = 0; f <= replay.scene.time.frames; ++f)
    if (std::filesystem::exists(frame_path(replay, file, f, extension))) frames.push_back(f);
  return frames;
}

}  // namespace coracle
