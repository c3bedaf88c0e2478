#include "coracle/show/export.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/frames.h"
#include "coracle/out/vtk.h"
#include "coracle/scene/layers.h"
#include "coracle/show/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& argument, const std::string& why) {
  throw SceneError({{{argument, 0, 0}, why}});
}

// Files of one name and kind over the frames.
struct Series {
  std::string file, extension;
  bool moves = true;  // if not, there is a file for frame 0 only
};

// For every format but vdb. Only USD takes smoke along.
std::vector<Thing> surfaces_and_points(const Scene& scene, const ExportOptions& options) {
  std::vector<Thing> things = things_of(scene);
  std::erase_if(things, [&](const Thing& t) {
    return (t.kind == ThingKind::smoke && options.format != ExportFormat::usd) ||
           (t.kind == ThingKind::particles && !options.particles);
  });
  return things;
}

std::vector<Series> volumes_of(const Scene& scene) {
  std::vector<Series> series;
  for (const Layer& layer : written_layers(scene))
    if (layer.kind == LayerKind::volume) series.push_back({layer.file, layer.extension});
  if (!series.empty()) return series;
  for (const Layer& layer : fluid_layers(scene))
    if (layer.kind == LayerKind::volume)
      throw RunError(fmt::format("the run kept no volumes; run the scene with --set output.{}=true", layer.option));
  throw RunError("a run without liquid or gas has no volumes; export --to usd, ply, obj or vtu");
}

// The files that a format copies. A frame writes those of the last entry last.
std::vector<Series> series_of(const Scene& scene, const ExportOptions& options) {
  if (options.format == ExportFormat::vdb) return volumes_of(scene);
  const bool vtk = options.format == ExportFormat::vtu;
  if (vtk && !scene.output.paraview)
    throw RunError(
        "the run kept no VTP and VTU files; run the scene with --set output.paraview=true, or export --to ply");
  std::vector<Series> series;
  bool any_solid = false, any_moves = false;
  for (const Thing& thing : surfaces_and_points(scene, options)) {
    if (vtk && thing.kind == ThingKind::drops) continue;        // ParaView gets them with the particles
    const bool joined = vtk && thing.kind == ThingKind::solid;  // all solids share a file
    any_solid |= joined;
    any_moves |= joined && thing.moves;
    if (thing.kind == ThingKind::smoke)
      series.push_back({thing.file, "vdb"});
    else if (!joined)
      series.push_back({thing.file, !vtk ? "ply" : thing.kind == ThingKind::body ? "vtu" : "vtp", thing.moves});
  }
  if (any_solid) series.insert(series.begin(), {"solids", "vtp", any_moves});
  if (series.empty())
    throw RunError(has_layer(scene, LayerKind::smoke)
                       ? "the run kept no surfaces; export smoke with --to vdb"
                       : "the run kept nothing to export; run the scene with --set output.surface=true or "
                         "output.solids=true");
  return series;
}

// The frames in the requested range.
std::vector<int> chosen_frames(const Replay& replay, const std::vector<Series>& series, const ExportOptions& options) {
  const auto last_written = std::find_if(series.rbegin(), series.rend(), [](const Series& s) { return s.moves; });
  const Series& marker = last_written == series.rend() ? series[0] : *last_written;
  std::vector<int> frames = frames_with(replay, marker.file, marker.extension);
  if (!frames.empty() && last_written != series.rend()) frames = finished_frames(replay, frames.back());
  if (frames.empty())
    throw RunError(
        fmt::format("{} has no frames yet; wait for the first one, or start it again with --overwrite", replay.dir));
  if (!options.range) return frames;
  const auto [first, last] = *options.range;
  const std::string argument =
      first == last ? fmt::format("--frame {}", first) : fmt::format("--frame {}:{}", first, last);
  if (first > last) refuse(argument, "the first comes after the last");
  if (first < frames.front() || last > frames.back())
    refuse(argument, fmt::format("the run holds frames {} to {}", frames.front(), frames.back()));
  std::erase_if(frames, [range = *options.range](int f) { return f < range.first || f > range.second; });
  if (frames.empty())
    refuse(argument, fmt::format("the run kept every {}th frame, and none of these", replay.scene.output.every));
  return frames;
}

// Refuse to write into the run's frames folder.
void check_place(const Replay& replay, const std::string& out) {
  const fs::path frames = fs::weakly_canonical(replay.dir + "/frames"), to = fs::weakly_canonical(out);
  if (std::mismatch(frames.begin(), frames.end(), to.begin(), to.end()).first == frames.end())
    refuse("-o " + out, "lies among the run's own frames; choose another folder");
}

void write_index(const Replay& replay, const Series& s, const std::vector<int>& frames, const std::string& out) {
  std::vector<PvdEntry> entries;
  entries.reserve(frames.size());
  for (const int f : frames)
    entries.push_back({f / replay.scene.time.fps, fmt::format("{}.{:04}.{}", s.file, s.moves ? f : 0, s.extension)});
  write_pvd(out + "/" + s.file + ".pvd", entries);
}

}  // namespace

Exported export_run(const Replay& replay, const ExportOptions& options) {
  const std::string& word = export_formats[int(options.format)];
  const std::vector<Series> series = series_of(replay.scene, options);
  const std::vector<int> frames = chosen_frames(replay, series, options);
  std::vector<FrameFile> files;
  for (const Series& s : series)
    for (const int frame : s.moves ? frames : std::vector<int>{0})
      if (s.file != "drops" || std::filesystem::exists(frame_path(replay, s.file, frame, s.extension)))
        files.push_back({s.file, s.extension, frame});
  require_files(replay, files);
  std::string out = options.out.empty() ? replay.dir + "/export/" + word : options.out;
  check_place(replay, out);

  if (options.format == ExportFormat::usd) {
    const std::string extension = fs::path(out).extension().string();
    if (extension == ".usd" || extension == ".usdc" || extension == ".usdz")
      refuse("-o " + out, "only text layers are written; give a name that ends in .usda, or a folder");
    if (extension != ".usda") out += "/run.usda";
    write_usd(replay, surfaces_and_points(replay.scene, options), frames, out, options.progress);
    return {int(frames.size()), out};
  }

  make_directories(out);
  const bool obj = options.format == ExportFormat::obj;
  for (std::size_t s = 0; s < series.size(); ++s) {
    const auto& [file, extension, moves] = series[s];
    const std::vector<int> own = moves ? frames : std::vector<int>{0};
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::string from = frame_path(replay, file, own[i], extension);
      const std::string to = fmt::format("{}/{}.{:04}.{}", out, file, own[i], obj ? "obj" : extension);
      if (obj)
        write_obj(to, read_ply(from), file);
      else
        copy_file(from, to);
      if (options.progress)
        options.progress(file, (double(s) + double(i + 1) / double(own.size())) / double(series.size()));
    }
    if (options.format == ExportFormat::vtu) write_index(replay, series[s], frames, out);
  }
  return {int(frames.size()), out};
}

}  // namespace coracle
