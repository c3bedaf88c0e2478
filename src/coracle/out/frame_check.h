// Frames that are missing or damaged, and what to do about them.
#pragma once

#include "coracle/out/replay.h"

#include <string>
#include <vector>

namespace coracle {

// The frames that the run has finished: all up to its newest checkpoint, and up to `last`. They should be on disk.
std::vector<int> finished_frames(const Replay& replay, int last);
std::vector<int> finished_frames(const Replay& replay);  // `last`: the last one with all its files

// Why a file of a frame cannot be used: "is missing", "is cut short"; empty if nothing is wrong with its size.
std::string damage_of(const std::string& path);

struct FrameProblem {
  int frame = 0;
  std::string path, damage;
};
std::vector<FrameProblem> find_problems(const Replay& replay, const std::vector<FrameFile>& files);
// The same for all files of the finished frames.
std::vector<FrameProblem> find_problems(const Replay& replay);
// Names the files, and the command that writes them again.
std::string problems_text(const Replay& replay, const std::vector<FrameProblem>& problems);

// RunError with that text, if there is a problem.
void require_files(const Replay& replay, const std::vector<FrameFile>& files);
// The file's path; RunError if it cannot be used.
std::string usable_file(const Replay& replay, const FrameFile& file);

}  // namespace coracle
