// The state of a run in HDF5, bit for bit, with a checksum: checkpoints/checkpoint.0010.h5 at the end of frame 10,
// checkpoint.0010.step57.h5 after step 57, within the next frame.
#pragma once

#include "coracle/world.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

enum class FrameDone { no, yes };  // no: the state lies within a frame

// Writes into the run directory `dir` and returns the path. Deletes all other checkpoints there but `before`: a path
// that an earlier call returned. `scene`, optional, is the scene as TOML; with it, the file alone is enough to resume.
std::string write_checkpoint(const std::string& dir, const World& world, const std::string& scene = "",
                             FrameDone frame_done = FrameDone::yes, const std::string& before = "");
// Writes to any path, deletes nothing.
void write_checkpoint_file(const std::string& path, const World& world, const std::string& scene = "");

// Reads into a world that build_world made from the same scene. RunError if the file is damaged or unreadable, or if
// its fluid, grid or bodies differ from the scene's; then the world is unchanged.
void read_checkpoint(const std::string& path, World& world);
Clock read_checkpoint_clock(const std::string& path);
// The scene that is stored in the file.
std::string read_checkpoint_scene(const std::string& path);

struct CheckpointState {
  std::string path;
  Clock clock;
  std::string damage;  // why it cannot be read; empty if it can
};
CheckpointState inspect_checkpoint(const std::string& path);

// All checkpoints of the run directory `dir`, the oldest first.
std::vector<std::string> checkpoint_files(const std::string& dir);
// The newest one that is not damaged. Reports damaged ones to `warn`.
std::optional<CheckpointState> newest_checkpoint(const std::string& dir,
                                                 const std::function<void(const std::string&)>& warn = {});

}  // namespace coracle
