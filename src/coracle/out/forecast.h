// What a run will cost, told before it begins.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/run_size.h"

#include <string>

namespace coracle {

// "8 million cells, 12.8 million particles": what the memory is for.
std::string parts_of(const RunSize& size);

// Why the run does not fit into the memory that the machine has free, with figures and a remedy; empty if it fits.
std::string memory_problem(const Scene& scene, const RunSize& size);
// Throws SceneError if it does not fit.
void require_memory(const Scene& scene);

struct FrameTime {
  double seconds = 0;   // per frame
  double steps = 0;     // per frame
  int resolution = 0;   // of the trial
  std::string trouble;  // why it could not be measured; empty if it was
};

// Runs a few steps of the scene with a coarse grid and coarse bodies, and scales their time by the numbers of cells and
// nodes. Takes some tenths of a second. The first steps of a scene are often its calmest: a run may take a few times
// longer.
FrameTime measure_frame_time(const Scene& scene, const RunSize& size);

}  // namespace coracle
