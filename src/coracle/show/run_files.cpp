#include "coracle/show/run_files.h"

#include "coracle/scene/layers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace coracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view frames_folder = "frames/";

bool is_frame_file(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  if (name.find_first_of(std::string_view("/\\\0", 3)) != std::string_view::npos) return false;
  // file.number.extension
  const std::size_t last_dot = name.rfind('.');
  if (last_dot == std::string_view::npos) return false;
  const std::string_view extension = name.substr(last_dot + 1);
  name = name.substr(0, last_dot);
  const std::size_t dot = name.find_last_not_of(digits);
  if (dot == std::string_view::npos || name[dot] != '.' || name.size() - dot - 1 < 4) return false;
  const std::string_view file = name.substr(0, dot);
  if (is_layer_file(file, extension)) return true;
  return extension == "ply" &&
         ((file.size() > 5 && file.starts_with("body_")) || (file.size() > 6 && file.starts_with("solid_")));
}

}  // namespace

bool is_run_file(std::string_view name) {
  if (name == "scene.toml" || name == "stats.jsonl" || name == "run.log" || name == "probes.csv") return true;
  return name.starts_with(frames_folder) && is_frame_file(name.substr(frames_folder.size()));
}

std::optional<RunFile> find_run_file(const std::string& dir, std::string_view name) {
  if (!is_run_file(name)) return std::nullopt;
  std::error_code error;
  const fs::path root = fs::canonical(dir, error);
  if (error) return std::nullopt;
  const fs::path real = fs::canonical(root / name, error);  // links followed
  if (error) return std::nullopt;
  const fs::path inside = real.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") return std::nullopt;
  struct stat status = {};
  if (::lstat(real.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const std::string version =
      fmt::format("{:x}-{:x}-{:x}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
  return RunFile{real.string(), std::uint64_t(status.st_size), version, name.starts_with(frames_folder)};
}

std::string read_part(const std::string& path, std::uint64_t first, std::uint64_t count) {
  std::string bytes(count, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  std::size_t done = 0;
  while (file >= 0 && done < bytes.size()) {
    const ssize_t got = ::pread(file, bytes.data() + done, bytes.size() - done, off_t(first + done));
    if (got <= 0) break;
    done += std::size_t(got);
  }
  if (file >= 0) ::close(file);
  bytes.resize(done);
  return bytes;
}

}  // namespace coracle
