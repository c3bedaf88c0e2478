// The state of a run in HDF5, bit for bit, at the ends of frames: checkpoints/checkpoint.0010.h5.
#pragma once

#include "coracle/world.h"

#include <optional>
#include <string>

namespace coracle {

// Into the run directory `dir`; keeps this one and the one before it.
void write_checkpoint(const std::string& dir, const World& world);
// The same under a name of one's own.
void write_checkpoint_file(const std::string& path, const World& world);

// Into a world that build_world made of the same scene. RunError where the file cannot be read, or
// where its grid or its bodies are others.
void read_checkpoint(const std::string& path, World& world);
Clock read_checkpoint_clock(const std::string& path);

// Of the run directory `dir`; passes over files that cannot be read, with a warning on stderr.
std::optional<std::string> newest_checkpoint(const std::string& dir);

}  // namespace coracle
