#include "coracle/out/stats.h"

#include "coracle/base/files.h"
#include "coracle/step/report_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <optional>

namespace coracle {
namespace {

using Json = nlohmann::ordered_json;

// A report as a JSON object; a value of a report as JSON.
template <class R>
Json object(const R& report);

template <class T>
Json json(const T& value) {
  return value;
}
Json json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json json(const std::vector<std::pair<std::string, double>>& seconds) {
  Json object = Json::object();
  for (const auto& [name, value] : seconds) object[name] = value;
  return object;
}
template <class R>
Json json(const std::vector<R>& reports) {
  Json list = Json::array();
  for (const R& report : reports) list.push_back(object(report));
  return list;
}

template <class R>
Json object(const R& report) {
  Json object = Json::object();
  for_fields(report, [&](const char* name, const auto& value) { object[name] = json(value); });
  return object;
}

// The step number of a line of either file; none if the line is incomplete.
std::optional<std::int64_t> step_of(std::string_view line) {
  if (line.starts_with('{')) {
    const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || !object.contains("step") || !object["step"].is_number_integer()) return std::nullopt;
    return object["step"].get<std::int64_t>();
  }
  if (line.starts_with("step,")) return 0;  // the header of probes.csv
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  if (error != std::errc() || end == line.data() + line.size() || *end != ',') return std::nullopt;
  return step;
}

}  // namespace

std::string stats_line(const StepReport& r) {
  Json line = {{"step", r.step}, {"frame", r.frame},     {"time", r.time},
               {"dt", r.dt},     {"retries", r.retries}, {"stages", json(r.stages.seconds())}};
  line["solver"] = object(r.solver);
  for_fluid(r.fluid, [&](const char* name, const auto& fluid) { line[name] = object(fluid); });
  line["bodies"] = json(r.bodies);
  if (r.contact) line["contact"] = object(*r.contact);
  line["memory_mb"] = r.memory_mb;
  if (!r.notes.empty()) line["notes"] = r.notes;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string probes_header(const std::vector<std::string>& columns) {
  std::string line = "step,time";
  for (const std::string& column : columns) line += "," + column;
  return line;
}

std::string probes_line(const StepReport& report) {
  std::string line = fmt::format("{},{}", report.step, report.time);
  for (const double value : report.probes) line += fmt::format(",{}", value);
  return line;
}

void cut_back(const std::string& path, std::int64_t step) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  std::size_t kept = 0;
  for (;;) {
    const std::size_t end = text.find('\n', kept);
    if (end == std::string::npos) break;
    const std::optional<std::int64_t> found = step_of(std::string_view(text).substr(kept, end - kept));
    if (!found || *found > step) break;
    kept = end + 1;
  }
  if (kept < text.size()) write_atomically(path, std::string_view(text).substr(0, kept));
}

}  // namespace coracle
