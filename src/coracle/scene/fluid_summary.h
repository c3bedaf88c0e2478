// What users are told about the fluid of a scene.
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

// Particles of liquid at the start, and those that inflows will add; zero without liquid.
double expected_particles(const Scene& scene, const Grid& grid);

// "liquid" or "gas", for messages; empty if there is none.
const char* fluid_name(const Scene& scene);

// Why a scene that asks for a GPU runs there in its pressure solve at most; empty: all of its fluid runs there.
std::string not_on_gpu_because(const Scene& scene);

// What a user should know of the fluid before a run, one sentence each: a tank that is full, what does not run on a
// GPU.
std::vector<std::string> fluid_notes(const Scene& scene, const Grid& grid);

}  // namespace coracle
