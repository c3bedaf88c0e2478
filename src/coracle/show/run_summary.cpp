#include "coracle/show/run_summary.h"
#include "coracle/world/build.h"

#include "coracle/error.h"
#include "coracle/out/frames.h"
#include "coracle/out/run_control.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/animation.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/tables.h"
#include "coracle/show/frame_props.h"
#include "coracle/show/probe_unit.h"
#include "coracle/show/run_files.h"
#include "coracle/show/things.h"
#include "coracle/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace coracle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::set<std::string> names_in(const std::string& dir) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(dir, error), end; !error && entry != end; entry.increment(error))
    names.insert(entry->path().filename().string());
  return names;
}

// Things with a file in every frame. Runs of older versions have no drops files.
std::vector<Thing> things_of_frames(const Scene& scene) {
  std::vector<Thing> things = things_of(scene);
  std::erase_if(things, [](const Thing& t) { return !t.moves || t.kind == ThingKind::drops; });
  return things;
}

std::vector<int> whole_frames(const std::string& dir, const Scene& scene) {
  const std::set<std::string> names = names_in(dir + "/frames");
  const std::vector<Thing> things = things_of_frames(scene);
  std::vector<int> frames;
  for (int f = 0; f <= scene.time.frames && !things.empty(); f += scene.output.every) {
    bool whole = true;
    for (const Thing& t : things) whole = whole && names.contains(fmt::format("{}.{:04}.{}", t.file, f, t.extension));
    if (whole) frames.push_back(f);
  }
  // If there are only solids at rest, there is one picture.
  if (things.empty() && scene.output.solids && !scene.solids.empty() &&
      names.contains(fmt::format("solid_{}.0000.ply", scene.solids.back().name)))
    frames.push_back(0);
  return frames;
}

// Frames before the last whole one that are not whole.
std::vector<int> missing_frames(const Scene& scene, const std::vector<int>& whole) {
  std::vector<int> missing;
  for (int f = 0; !whole.empty() && f < whole.back(); f += scene.output.every)
    if (!std::binary_search(whole.begin(), whole.end(), f)) missing.push_back(f);
  return missing;
}

bool complete(const Scene& scene, const std::vector<int>& frames) {
  const int last = scene.time.frames / scene.output.every * scene.output.every;
  return !frames.empty() && frames.back() == last;
}

Json vector(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json probe_list(const Scene& scene) {
  Json list = Json::array();
  for (const ProbeOptions& p : scene.probes)
    list.push_back({{"name", p.name}, {"type", words(p.kind)[int(p.kind)]}, {"unit", probe_unit(p.kind)}});
  return list;
}

std::uint64_t bytes_of(const std::string& dir, const char* name) {
  const std::optional<RunFile> file = find_run_file(dir, name);
  return file ? file->size : 0;
}

}  // namespace

Json run_summary(const std::string& dir) {
  require_run(dir);
  const Scene scene = load_scene(scene_file(dir));
  const Grid grid = scene_grid(scene.domain);
  const std::vector<int> frames = whole_frames(dir, scene);
  const bool going = is_being_written(dir);
  const bool failed = !going && fs::exists(failed_checkpoint_file(dir));
  const std::optional<ControlState> control = control_state(dir);

  Json run;
  run["title"] = scene.title;
  run["preset"] = scene.preset;
  run["folder"] = dir;
  run["domain"] = {{"min", vector(scene.domain.min)},
                   {"max", vector(scene.domain.min + grid.dx * grid.n.cast<double>())},
                   {"cells", {grid.n.x(), grid.n.y(), grid.n.z()}},
                   {"dx", grid.dx}};
  run["fps"] = scene.time.fps;
  run["frames_asked"] = scene.time.frames;
  run["frames"] = frames;
  run["missing"] = missing_frames(scene, frames);
  run["liquid"] = written_layer(scene, LayerKind::surface) != nullptr;
  const Layer* drops = written_layer(scene, LayerKind::drops);
  run["drops"] = drops && fs::exists(fmt::format("{}/frames/{}.0000.{}", dir, drops->file, drops->extension));
  run["particles"] = written_layer(scene, LayerKind::particles) != nullptr;
  run["smoke"] = nullptr;
  if (written_layer(scene, LayerKind::smoke))
    run["smoke"] = {{"color", vector(scene.look.smoke_color)}, {"depth", smoke_depth(scene)}};
  run["bodies"] = Json::array();
  run["solids"] = Json::array();
  if (scene.output.solids) {
    for (const BodyOptions& b : scene.bodies) {
      Json body = {{"name", b.name}, {"opacity", b.opacity}};
      if (b.color) body["color"] = vector(*b.color);
      run["bodies"].push_back(std::move(body));
    }
    for (const SolidOptions& s : scene.solids) {
      Json solid = {{"name", s.name}, {"container", s.container}, {"moving", moves(s)}, {"film", has_film(scene, s)}};
      if (s.color) solid["color"] = vector(*s.color);
      run["solids"].push_back(std::move(solid));
    }
  }
  run["state"] = control && control->paused ? "paused"
                 : going                    ? "running"
                 : failed                   ? "failed"
                 : complete(scene, frames)  ? "complete"
                                            : "stopped";
  run["finished"] = !going && (failed || complete(scene, frames));
  run["control"] = nullptr;
  if (control) {
    run["control"] = {{"paused", control->paused}, {"asked", nullptr}};
    if (control->asked) run["control"]["asked"] = control_words[int(*control->asked)];
  }
  // A run that starts again or resumes rewrites scene.toml: what a client has read may then be outdated.
  const std::optional<RunFile> scene_toml = find_run_file(dir, "scene.toml");
  run["version"] = scene_toml ? scene_toml->version : "";
  run["stats_bytes"] = bytes_of(dir, "stats.jsonl");
  run["log_bytes"] = bytes_of(dir, "run.log");
  run["probes_bytes"] = bytes_of(dir, "probes.csv");
  run["probes"] = probe_list(scene);
  return run;
}

}  // namespace coracle
