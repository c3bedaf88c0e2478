// How large a run will be, known before it begins.
#pragma once

#include "coracle/grid.h"
#include "coracle/scene.h"
#include "coracle/scene/body_size.h"

#include <vector>

namespace coracle {

struct RunSize {
  double cells = 0;
  double particles = 0;                                     // with those that inflows will add
  double tets = 0, triangles = 0, segments = 0, nodes = 0;  // of all bodies (scene/body_size.h)
  double grid_bytes = 0;  // of memory, for cells and particles: these follow the resolution
  double bytes = 0;       // of memory, for everything
};

// `grid` is the scene's; `bodies` are the sizes of its bodies, in order.
RunSize run_size(const Scene& scene, const Grid& grid, const std::vector<BodySize>& bodies);

// Steps per frame if things move as fast as they usually do in such a scene.
double expected_steps(const Scene& scene, const Grid& grid);

// Time of the fluid in a step, per cell, over that of another resolution of the scene: the iterations of smoothed
// particles grow as the number of particles that sound passes in a step; 1 for fluids on a grid.
double relative_cost(const Scene& scene, const Grid& grid);

// The highest resolution whose run fits into this memory, at least 4; zero if none does.
int fitting_resolution(const Scene& scene, const RunSize& size, double memory);

}  // namespace coracle
