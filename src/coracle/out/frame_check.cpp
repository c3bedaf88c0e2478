#include "coracle/out/frame_check.h"

#include "coracle/error.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coracle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_listed = 6;
constexpr std::size_t head_bytes = 4096;  // more than the header of a PLY or NRRD file
constexpr std::string_view vtk_end = "</VTKFile>\n";

// The frame of the newest checkpoint; −1 if there is none.
int kept_frame(const std::string& dir) {
  const std::vector<std::string> files = checkpoint_files(dir);
  int frame = -1;
  if (!files.empty()) std::sscanf(fs::path(files.back()).filename().c_str(), "checkpoint.%d", &frame);
  return frame;
}

// "2, 5 to 7"
std::string ranges(std::vector<int> frames, int every) {
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  std::string text;
  for (std::size_t i = 0; i < frames.size();) {
    std::size_t j = i;
    while (j + 1 < frames.size() && frames[j + 1] == frames[j] + every) ++j;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", frames[i]);
    if (j > i) text += fmt::format(" to {}", frames[j]);
    i = j + 1;
  }
  return text;
}

}  // namespace

std::vector<int> finished_frames(const Replay& replay) {
  return finished_frames(replay, replay.frames.empty() ? -1 : replay.frames.back());
}

std::vector<int> finished_frames(const Replay& replay, int last) {
  last = std::max(last, std::min(kept_frame(replay.dir), replay.scene.time.frames));
  std::vector<int> frames;
  for (int f = 0; f <= last; f += replay.scene.output.every) frames.push_back(f);
  return frames;
}

std::string damage_of(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return "is missing";
  if (!fs::is_regular_file(path, error)) return "is not a file";
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("cannot be opened ({})", std::strerror(errno));
  std::string head(head_bytes, '\0');
  file.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(file.gcount()));
  const std::uintmax_t size = fs::file_size(path, error);
  if (size == 0) return "is empty";
  if (path.ends_with(".ply")) return ply_damage(head, size);
  if (path.ends_with(".nrrd")) return nrrd_damage(head, size);
  if (!path.ends_with(".vtp") && !path.ends_with(".vtu")) return "";
  std::string tail(vtk_end.size(), '\0');
  file.clear();
  file.seekg(-std::streamoff(std::min<std::uintmax_t>(size, tail.size())), std::ios::end);
  file.read(tail.data(), std::streamsize(tail.size()));
  return tail == vtk_end ? "" : "is cut short";
}

std::vector<FrameProblem> find_problems(const Replay& replay, const std::vector<FrameFile>& files) {
  std::vector<FrameProblem> problems;
  for (const FrameFile& f : files) {
    const std::string path = frame_path(replay, f.file, f.frame, f.extension);
    const auto known = [&](const FrameProblem& p) { return p.path == path; };
    if (f.frame == 0 && std::any_of(problems.begin(), problems.end(), known)) continue;  // a solid at rest
    if (std::string damage = damage_of(path); !damage.empty()) problems.push_back({f.frame, path, std::move(damage)});
  }
  return problems;
}

std::vector<FrameProblem> find_problems(const Replay& replay) {
  std::vector<FrameFile> files;
  for (const int frame : finished_frames(replay))
    for (FrameFile& f : frame_files(replay.scene, frame)) files.push_back(std::move(f));
  return find_problems(replay, files);
}

std::string problems_text(const Replay& replay, const std::vector<FrameProblem>& problems) {
  std::string list;
  std::vector<int> frames;
  bool all_closed = true;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    frames.push_back(problems[i].frame);
    all_closed = all_closed && problems[i].damage.starts_with("cannot be opened");
    if (i < most_listed) list += fmt::format("  {} {}\n", problems[i].path, problems[i].damage);
  }
  if (problems.size() > most_listed) list += fmt::format("  and {} more\n", problems.size() - most_listed);
  // A run that goes on writes the frames after its checkpoint again; older ones need the whole run.
  const bool after_checkpoint = *std::min_element(frames.begin(), frames.end()) > kept_frame(replay.dir);
  const std::string remedy = all_closed ? "make the files readable (chmod u+r)"
                                        : "to write them again: " + (after_checkpoint ? resume_command(replay.dir)
                                                                                      : restart_command(replay.dir));
  return fmt::format("{} {} of {} cannot be used:\n{}{}", problems.size() == 1 ? "frame" : "frames",
                     ranges(frames, replay.scene.output.every), replay.dir, list, remedy);
}

void require_files(const Replay& replay, const std::vector<FrameFile>& files) {
  const std::vector<FrameProblem> problems = find_problems(replay, files);
  if (!problems.empty()) throw RunError(problems_text(replay, problems) + "\nor leave them out with --frame A:B");
}

std::string usable_file(const Replay& replay, const FrameFile& file) {
  const std::vector<FrameProblem> problems = find_problems(replay, {file});
  if (!problems.empty()) throw RunError(problems_text(replay, problems));
  return frame_path(replay, file.file, file.frame, file.extension);
}

}  // namespace coracle
