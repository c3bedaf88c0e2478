// Writes a run's frames in the formats of other programs. Never writes into the run's own frames folder.
#pragma once

#include "coracle/show/usd.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

enum class ExportFormat {
  usd,  // one scene with all frames, show/usd.h
  ply,  // one file per frame and thing, as the run wrote it
  obj,  // the same as text
  vdb,  // the volumes of the fluid, as the run wrote them
  vtu,  // tets, surfaces and points, with an index over time, for ParaView
};
inline const std::vector<std::string> export_formats = {"usd", "ply", "obj", "vdb", "vtu"};  // in that order

struct ExportOptions {
  ExportFormat format = ExportFormat::usd;
  std::string out;                           // a folder; usd: or a .usda file. None: DIR/export/<format>
  std::optional<std::pair<int, int>> range;  // first and last frame; none: all
  bool particles = true;                     // if the run has them
  ExportProgress progress;
};

struct Exported {
  int frames = 0;
  std::string path;  // the file to open, or the folder
};

// SceneError if an option does not fit the run, RunError if files are missing or cannot be written.
Exported export_run(const Replay& replay, const ExportOptions& options);

}  // namespace coracle
