#include "coracle/out/compare_surfaces.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>

namespace coracle {
namespace {

constexpr double time_slack = 1e-9;  // s per second: times are quotients

std::vector<FrameFile> files_of(const Replay& run, int frame) {
  std::vector<FrameFile> files = frame_files(run.scene, frame);
  if (const Layer* drops = written_layer(run.scene, LayerKind::drops))
    if (std::filesystem::exists(frame_path(run, drops->file, frame, drops->extension)))
      files.push_back({drops->file, drops->extension, frame});
  return files;
}

const FrameFile* find(const std::vector<FrameFile>& files, const FrameFile& file) {
  const auto at = std::find_if(files.begin(), files.end(), [&](const FrameFile& f) {
    return f.file == file.file && f.extension == file.extension;
  });
  return at != files.end() ? &*at : nullptr;
}

// With finite points: nothing else has a distance.
PlyMesh read_surface(const std::string& path) {
  PlyMesh mesh = read_ply(path);
  for (std::size_t i = 0; i < mesh.x.size(); ++i)
    if (!mesh.x[i].allFinite())
      throw RunError(
          fmt::format("{}: point {} of {} is not finite, so the surface has no distance", path, i + 1, mesh.x.size()));
  return mesh;
}

TriMesh triangles_of(const PlyMesh& mesh) {
  TriMesh tris{{}, mesh.tris};
  for (const Vec3f& x : mesh.x) tris.x.push_back(x.cast<double>());
  return tris;
}

void measure(const std::string& path_a, const std::string& path_b, double spacing, FileDifference& found) {
  const PlyMesh a = read_surface(path_a), b = read_surface(path_b);
  if (a.tris.empty() || b.tris.empty()) {
    if (!a.tris.empty()) found.only = OnlyIn::a;
    if (!b.tris.empty()) found.only = OnlyIn::b;
    return;
  }
  found.distance =
      a.x == b.x && a.tris == b.tris ? SurfaceDistance{} : surface_distance(triangles_of(a), triangles_of(b), spacing);
}

}  // namespace

std::vector<FramePair> common_frames(const Replay& a, const Replay& b) {
  std::vector<FramePair> pairs;
  for (const int frame : a.frames) {
    const double at = frame * b.scene.time.fps / a.scene.time.fps;  // in frames of b
    const int other = int(std::lround(at));
    if (std::abs(at - other) <= time_slack * std::max(1.0, at) &&
        std::binary_search(b.frames.begin(), b.frames.end(), other))
      pairs.push_back({frame, other});
  }
  return pairs;
}

std::vector<FileDifference> compare_surfaces(const Replay& a, const Replay& b, const std::vector<FramePair>& frames) {
  const double spacing = std::min(cell_size(a.scene.domain), cell_size(b.scene.domain));
  std::vector<FileDifference> all;
  std::set<std::tuple<std::string, int, int>> done;  // file and frames: those of a solid at rest are 0
  for (const FramePair& frame : frames) {
    const std::vector<FrameFile> files_a = files_of(a, frame.a), files_b = files_of(b, frame.b);
    const auto add = [&](const FrameFile* in_a, const FrameFile* in_b) {
      const FrameFile& file = in_a ? *in_a : *in_b;
      if (!done.emplace(file.file, in_a ? in_a->frame : -1, in_b ? in_b->frame : -1).second) return;
      FileDifference found{.file = file.file, .frame = frame};
      if (!in_a || !in_b) {
        found.only = in_a ? OnlyIn::a : OnlyIn::b;
      } else {
        const std::string path_a = usable_file(a, *in_a), path_b = usable_file(b, *in_b);
        const bool surface = file.extension == "ply" && file.file != "drops";
        found.same_bits = read_file(path_a) == read_file(path_b);
        if (found.same_bits && surface) {
          read_surface(path_a);
          found.distance = SurfaceDistance{};
        }
        if (!found.same_bits && surface) measure(path_a, path_b, spacing, found);
      }
      all.push_back(std::move(found));
    };
    for (const FrameFile& file : files_a) add(&file, find(files_b, file));
    for (const FrameFile& file : files_b)
      if (!find(files_a, file)) add(nullptr, &file);
  }
  return all;
}

}  // namespace coracle
