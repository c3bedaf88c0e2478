// What the viewer's page must know about a run before it loads frames, as JSON. The run may still be going.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace coracle {

// Title, domain, fps, frames on disk, contents of each frame, and the state of the run. A frame is listed when all its
// files exist. RunError if `dir` holds no run, SceneError if its scene cannot be read.
nlohmann::ordered_json run_summary(const std::string& dir);

}  // namespace coracle
