#include "coracle/out/replay.h"

#include "coracle/error.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// A kind of file: its name before and after the frame's number.
struct Told {
  std::string what, extension = "ply";
};

// That every written frame has, as far as the scene asks for any.
Told told_by(const Scene& scene) {
  const OutputOptions& o = scene.output;
  if (has_liquid(scene) && o.surface) return {"surface"};
  if (o.solids && !scene.bodies.empty()) return {"body_" + scene.bodies.back().name};
  if (o.solids)
    for (const SolidOptions& s : scene.solids)
      if (!s.motions.empty()) return {"solid_" + s.name};
  if (has_gas(scene) && o.smoke) return {"smoke", "nrrd"};
  return {};
}

}  // namespace

std::string frame_path(const Replay& replay, const std::string& what, int frame, const std::string& extension) {
  return fmt::format("{}/frames/{}.{:04}.{}", replay.dir, what, frame, extension);
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
  const Told told = told_by(replay.scene);
  for (int f = 0; f <= replay.scene.time.frames && !told.what.empty(); ++f)
    if (fs::exists(frame_path(replay, told.what, f, told.extension))) replay.frames.push_back(f);
  return replay;
}

ReplayFrame read_frame(const Replay& replay, int frame) {
  const Scene& scene = replay.scene;
  const auto there = [&](const std::string& what, int f, const char* extension, const char* option) {
    const std::string path = frame_path(replay, what, f, extension);
    if (!fs::exists(path))
      throw RunError(fmt::format("{} is not there; run the scene again with output.{} = true", path, option));
    return path;
  };
  const auto read = [&](const std::string& what, int f) { return read_ply(there(what, f, "ply", "solids")); };
  ReplayFrame result{frame, frame / scene.time.fps, {}, {}, {}, {}, {}};
  if (has_gas(scene) && scene.output.smoke) result.smoke = read_nrrd(there("smoke", frame, "nrrd", "smoke"));
  if (has_liquid(scene) && scene.output.surface) {
    result.liquid = read_ply(there("surface", frame, "ply", "surface"));
    if (const std::string drops = frame_path(replay, "drops", frame, "ply"); fs::exists(drops))
      result.drops = read_ply(drops);
  }
  if (!scene.output.solids) return result;
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
