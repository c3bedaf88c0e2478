// The files of a run's directory that the viewer's page may read, by name. No other file is served.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coracle {

// scene.toml, stats.jsonl, probes.csv, run.log, frames/<kind>.<number>.ply with a kind of surface, drops, particles,
// body_NAME, solid_NAME, and frames/smoke.<number>.nrrd. Names are compared literally: "..", "./" and a second slash
// are refused.
bool is_run_file(std::string_view name);

struct RunFile {
  std::string path;
  std::uint64_t size = 0;
  std::string version;  // changes when the file does
  bool frame = false;   // written once, under its final name
};

// The file `name` under `dir`; none if it may not be read, does not exist, is not a plain file, or is a link to a place
// outside `dir`.
std::optional<RunFile> find_run_file(const std::string& dir, std::string_view name);

// `count` bytes from `first` on; fewer if the file has become shorter.
std::string read_part(const std::string& path, std::uint64_t first, std::uint64_t count);

}  // namespace coracle
