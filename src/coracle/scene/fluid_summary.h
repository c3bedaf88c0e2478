// What `coracle check` prints about the fluid of a scene.
#pragma once

#include "coracle/grid.h"
#include "coracle/scene.h"

#include <string>
#include <vector>

namespace coracle {

struct SummaryLine {
  std::string label, text;
};

// The method, the fluid, and where it enters and leaves. `grid` is the scene's.
std::vector<SummaryLine> fluid_summary(const Scene& scene, const Grid& grid);

}  // namespace coracle
