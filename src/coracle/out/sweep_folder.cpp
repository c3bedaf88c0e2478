#include "coracle/out/sweep_folder.h"

#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string sweep_file(const std::string& dir) { return dir + "/sweep.json"; }

const SweepSetting* setting_of(const Sweep& sweep, const std::string& path) {
  for (const SweepSetting& s : sweep.settings)
    if (s.path == path) return &s;
  return nullptr;
}

std::string text_of(const SweepSetting* setting) {
  return setting ? fmt::format("{}={}", setting->path, fmt::join(setting->values, ",")) : "(no such setting)";
}

[[noreturn]] void refuse(const std::string& dir, const std::string& before, const std::string& asked) {
  throw RunError(
      fmt::format("{} holds another sweep: it has {}, this one has {}; choose another directory with -o, or give that "
                  "sweep's scene, preset and settings, to which only values may be added",
                  dir, before, asked));
}

}  // namespace

std::optional<Sweep> read_sweep(const std::string& dir) {
  std::error_code error;
  const fs::file_status status = fs::status(dir, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) file_error("open", dir, error.value());
  if (!fs::is_directory(status)) file_error("use as a sweep's directory", dir, ENOTDIR);
  if (!fs::exists(sweep_file(dir))) {
    if (fs::is_empty(dir)) return std::nullopt;
    throw RunError(fmt::format("{} holds files that are not a sweep's; choose another directory with -o", dir));
  }
  try {
    const Json json = Json::parse(read_file(sweep_file(dir)));
    Sweep sweep{json.at("scene"), json.at("preset"), {}};
    for (const Json& s : json.at("settings")) sweep.settings.push_back({s.at("path"), s.at("values")});
    return sweep;
  } catch (const Json::exception& wrong) {
    throw RunError(
        fmt::format("{} cannot be read: {}; choose another directory with -o", sweep_file(dir), wrong.what()));
  }
}

void write_sweep(const std::string& dir, const Sweep& sweep) {
  Json json = {{"scene", sweep.scene}, {"preset", sweep.preset}, {"settings", Json::array()}};
  for (const SweepSetting& s : sweep.settings) json["settings"].push_back({{"path", s.path}, {"values", s.values}});
  write_atomically(sweep_file(dir), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Sweep with_values(const Sweep& before, const Sweep& asked, const std::string& dir) {
  const auto preset = [](const Sweep& s) { return s.preset.empty() ? "no preset" : "the preset " + s.preset; };
  if (before.scene != asked.scene) refuse(dir, "the scene " + before.scene, asked.scene);
  if (before.preset != asked.preset) refuse(dir, preset(before), preset(asked));
  for (const SweepSetting& s : asked.settings)
    if (!setting_of(before, s.path)) refuse(dir, fmt::format("no --set {}=...", s.path), text_of(&s));
  Sweep joined = before;
  for (SweepSetting& s : joined.settings) {
    const SweepSetting* now = setting_of(asked, s.path);
    if (!now || (!s.swept() && *now != s)) refuse(dir, text_of(&s), text_of(now));
    for (const std::string& value : now->values)
      if (std::find(s.values.begin(), s.values.end(), value) == s.values.end()) s.values.push_back(value);
  }
  return joined;
}

bool asks_for(const Sweep& asked, const SweepRun& run) {
  return std::all_of(run.overrides.begin(), run.overrides.end(), [&](const Override& o) {
    const SweepSetting* s = setting_of(asked, o.path);
    return s && std::find(s->values.begin(), s->values.end(), o.value) != s->values.end();
  });
}

SweepLock::SweepLock(const std::string& dir) : folder_(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) file_error("open", dir, errno);
  if (::flock(folder_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(folder_);
  if (reason == EWOULDBLOCK)
    throw RunError(
        fmt::format("another sweep is writing to {}; wait for it, stop it, or choose another directory with -o", dir));
  file_error("lock", dir, reason);
}

SweepLock::~SweepLock() { ::close(folder_); }

}  // namespace coracle
