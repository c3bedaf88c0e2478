// A run as USD text layers with time samples, for Houdini, Blender and usdview. Metres, y up; time codes are frames.
//   run.usda                  units, times, and the list of the others as sublayers
//   run_layers/water.usda     a mesh whose triangles change from sample to sample
//   run_layers/<body>.usda    a mesh whose points change; von_mises and pressure as primvars
//   run_layers/<solid>.usda   the same; without samples if it does not move
//   run_layers/particles.usda
//   run_layers/smoke.usda     a volume; its samples name OpenVDB files, which are copied beside it
// One layer holds one thing with all its samples: if two layers had samples of one attribute, only the stronger layer
// would count, and not every program supports value clips. Each layer can be opened alone.
#pragma once

#include "coracle/show/things.h"

#include <functional>
#include <string>
#include <vector>

namespace coracle {

// Called now and then: what is being written, and the finished share of the export.
using ExportProgress = std::function<void(const std::string& what, double share)>;

// `path` ends in .usda. Needs memory for only one frame of one thing.
void write_usd(const Replay& replay, const std::vector<Thing>& things, const std::vector<int>& frames,
               const std::string& path, const ExportProgress& progress = {});

}  // namespace coracle
