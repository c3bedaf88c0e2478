#include "coracle/show/things.h"

#include "coracle/error.h"
#include "coracle/out/frames.h"

#include <fmt/format.h>

#include <filesystem>

namespace coracle {

std::vector<Thing> things_of(const Scene& scene) {
  const OutputOptions& kept = scene.output;
  std::vector<Thing> things;
  if (has_liquid(scene) && kept.surface) {
    things.push_back({ThingKind::water, "water", "surface"});
    things.push_back({ThingKind::drops, "drops", "drops"});
  }
  if (has_gas(scene) && kept.smoke) things.push_back({ThingKind::smoke, "smoke", "smoke"});
  if (kept.solids) {
    for (const SolidOptions& s : scene.solids)
      things.push_back({ThingKind::solid, s.name, "solid_" + s.name, !s.motions.empty(), s.container});
    for (const BodyOptions& b : scene.bodies) things.push_back({ThingKind::body, b.name, "body_" + b.name});
  }
  if (has_liquid(scene) && kept.particles) things.push_back({ThingKind::particles, "particles", "particles"});
  return things;
}

std::string existing(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw RunError(fmt::format(
        "{} is not there; leave its frame out with --frame A:B, or bring it back with coracle run --overwrite", path));
  return path;
}

PlyMesh read_thing(const Replay& replay, const Thing& thing, int frame) {
  return read_ply(existing(frame_path(replay, thing.file, thing.moves ? frame : 0, "ply")));
}

std::vector<int> frames_with(const Replay& replay, const std::string& file, const std::string& extension) {
  std::vector<int> frames;
  for (int f = 0; f <= replay.scene.time.frames; ++f)
    if (std::filesystem::exists(frame_path(replay, file, f, extension))) frames.push_back(f);
  return frames;
}

}  // namespace coracle
