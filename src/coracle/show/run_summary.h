// What the viewer's page must know of a run before it asks for frames, as JSON. The run may still be going.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace coracle {

// Title, domain, fps, frames on disk, what each frame holds, and how far the run is. A frame is listed when all of its
// files are there. RunError where `dir` holds no run, SceneError where its scene cannot be read.
nlohmann::ordered_json run_summary(const std::string& dir);

}  // namespace coracle
