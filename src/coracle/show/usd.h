// A run as USD text layers with time samples, for Houdini, Blender and usdview. Metres, y up; a time code is a frame.
//   run.usda                  units, times, and the list of the others as sublayers
//   run_layers/water.usda     a mesh whose triangles change from sample to sample
//   run_layers/<body>.usda    a mesh whose points alone do; von_mises and pressure as primvars
//   run_layers/<solid>.usda   the same; without samples where it stands still
//   run_layers/particles.usda
// One layer holds one thing with all its samples: of two layers with samples of one attribute the stronger alone would
// count, and not every program follows value clips. Each layer can be opened by itself.
#pragma once

#include "coracle/show/things.h"

#include <functional>
#include <string>
#include <vector>

namespace coracle {

// Called now and then: what is being written, and the share of all that is done.
using ExportProgress = std::function<void(const std::string& what, double share)>;

// `path` ends in .usda. Memory for one frame of one thing is enough.
void write_usd(const Replay& replay, const std::vector<Thing>& things, const std::vector<int>& frames,
               const std::string& path, const ExportProgress& progress = {});

}  // namespace coracle
