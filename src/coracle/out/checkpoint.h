// The state of a run in HDF5, bit for bit, at the end of a frame: checkpoints/checkpoint.0010.h5.
#pragma once

#include "coracle/world.h"

#include <functional>
#include <optional>
#include <string>

namespace coracle {

// Writes into the run directory `dir`; keeps this checkpoint and the one before it. `scene`, optional, is the scene as
// TOML; with it, the file alone is enough to resume.
void write_checkpoint(const std::string& dir, const World& world, const std::string& scene = "");
// The same, to any path.
void write_checkpoint_file(const std::string& path, const World& world, const std::string& scene = "");

// Reads into a world that build_world made from the same scene. RunError if the file is unreadable, or if its fluid,
// grid or bodies differ from the scene's; then the world is unchanged.
void read_checkpoint(const std::string& path, World& world);
Clock read_checkpoint_clock(const std::string& path);
// The scene that is stored in the file.
std::string read_checkpoint_scene(const std::string& path);

// The newest readable checkpoint of the run directory `dir`. Reports unreadable ones to `warn`.
std::optional<std::string> newest_checkpoint(const std::string& dir,
                                             const std::function<void(const std::string&)>& warn = {});

}  // namespace coracle
