#include "coracle/out/series.h"

#include "coracle/base/files.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coracle {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

bool is_number(const StatsLine& j) { return j.is_number() || j.is_null(); }  // null: not finite
double value_of(const StatsLine& j) { return j.is_number() ? j.get<double>() : std::nan(""); }

bool is_vector(const StatsLine& j) {
  return j.is_array() && j.size() == 3 && std::all_of(j.begin(), j.end(), is_number);
}

std::vector<std::string> names_in(const StatsLine& j) {
  std::vector<std::string> names;
  if (j.is_object())
    for (const auto& [key, value] : j.items()) names.push_back(key);
  else
    for (const StatsLine& entry : j)
      if (entry.is_object() && entry.contains("name") && entry["name"].is_string()) names.push_back(entry["name"]);
  return names;
}

// An entry of an object by key, or of a list by name or number.
const StatsLine* entry_of(const StatsLine& j, const std::string& segment) {
  if (j.is_object()) return j.contains(segment) ? &j[segment] : nullptr;
  for (const StatsLine& entry : j)
    if (entry.is_object() && entry.contains("name") && entry["name"] == segment) return &entry;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
  const bool whole = error == std::errc() && end == segment.data() + segment.size();
  return whole && names_in(j).empty() && index < j.size() ? &j[index] : nullptr;
}

std::optional<double> component(const StatsLine& vector, const std::string& segment) {
  const double x = value_of(vector[0]), y = value_of(vector[1]), z = value_of(vector[2]);
  if (segment == "x") return x;
  if (segment == "y") return y;
  if (segment == "z") return z;
  if (segment == "length") return std::sqrt(x * x + y * y + z * z);
  return std::nullopt;
}

std::optional<double> at_path(const StatsLine& line, const std::string& path, std::string& wrong) {
  const StatsLine* at = &line;
  std::string so_far;
  const std::vector<std::string> segments = split(path, '.');
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string& segment = segments[i];
    const std::string where = so_far.empty() ? "a line of stats.jsonl" : in_quotes(so_far);
    if (is_vector(*at)) {
      const std::optional<double> found = i + 1 == segments.size() ? component(*at, segment) : std::nullopt;
      if (!found) wrong = fmt::format("{} is a vector: it has x, y, z and length, not {}", where, in_quotes(segment));
      return found;
    }
    if (is_number(*at) || at->is_primitive()) {
      wrong = fmt::format("{} is a single value: it has no {}", where, in_quotes(segment));
      return std::nullopt;
    }
    const StatsLine* next = entry_of(*at, segment);
    if (!next) {
      const std::vector<std::string> names = names_in(*at);
      std::string hint = did_you_mean(segment, names);
      if (hint.empty() && !names.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
      wrong = fmt::format("there is no {} in {}{}", in_quotes(segment), where, hint);
      return std::nullopt;
    }
    at = next;
    so_far += (so_far.empty() ? "" : ".") + segment;
  }
  if (is_number(*at)) return value_of(*at);
  if (is_vector(*at))
    wrong = fmt::format("{} is a vector: add .x, .y, .z or .length", in_quotes(so_far));
  else if (at->is_structured())
    wrong = fmt::format("{} holds several values; add one of: {}", in_quotes(so_far), fmt::join(names_in(*at), ", "));
  else
    wrong = fmt::format("{} is not a number", in_quotes(so_far));
  return std::nullopt;
}

// step → row. Writes the header's names to `columns`; skips incomplete rows of a killed run.
std::map<long, std::vector<double>> read_probes(const std::string& path, std::vector<std::string>& columns) {
  std::map<long, std::vector<double>> rows;
  if (!std::filesystem::exists(path)) return rows;
  std::istringstream text(read_file(path));
  std::string line;
  if (!std::getline(text, line)) return rows;
  columns = split(line, ',');
  const std::size_t lead = std::min<std::size_t>(2, columns.size());  // step, time
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != columns.size() || text.eof()) continue;
    std::vector<double>& row = rows[std::atol(cells[0].c_str())];
    for (std::size_t i = lead; i < cells.size(); ++i) row.push_back(std::strtod(cells[i].c_str(), nullptr));
  }
  columns.erase(columns.begin(), columns.begin() + std::ptrdiff_t(lead));
  return rows;
}

}  // namespace

std::optional<double> number_at(const StatsLine& line, const std::string& of, std::string& wrong) {
  std::vector<std::string> words;
  std::istringstream text(of);
  for (std::string word; text >> word;) words.push_back(word);
  if (words.size() == 1) return at_path(line, words[0], wrong);
  if (words.size() != 3 || (words[1] != "/" && words[1] != "-")) {
    wrong = fmt::format("{} is neither a path such as liquid.volume nor two of them with ' / ' or ' - ' between",
                        in_quotes(of));
    return std::nullopt;
  }
  const std::optional<double> a = at_path(line, words[0], wrong);
  if (!a) return a;
  const std::optional<double> b = at_path(line, words[2], wrong);
  if (!b) return b;
  const double value = words[1] == "/" ? *a / *b : *a - *b;
  return std::isfinite(value) ? value : std::nan("");
}

void add_probes(StatsLine& line, const std::vector<std::string>& columns, const std::vector<double>& values) {
  StatsLine probes = StatsLine::object();
  for (std::size_t i = 0; i < columns.size() && i < values.size(); ++i) {
    probes[columns[i]] = values[i];
    const std::string& z = columns[i];
    if (i < 2 || !z.ends_with("_z")) continue;
    const std::string name = z.substr(0, z.size() - 2);
    if (columns[i - 2] == name + "_x" && columns[i - 1] == name + "_y")
      probes[name] = {values[i - 2], values[i - 1], values[i]};
  }
  line["probes"] = std::move(probes);
}

void for_each_step(const std::string& dir, const std::function<void(const StatsLine&)>& look) {
  std::vector<std::string> columns;
  const std::map<long, std::vector<double>> rows = read_probes(probes_file(dir), columns);
  if (!std::filesystem::exists(stats_file(dir))) return;
  std::istringstream text(read_file(stats_file(dir)));
  for (std::string line; std::getline(text, line);) {
    StatsLine step = StatsLine::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!step.is_object() || !step.contains("step") || !step["step"].is_number_integer()) continue;
    if (const auto row = rows.find(step["step"].get<long>()); row != rows.end()) add_probes(step, columns, row->second);
    look(step);
  }
}

}  // namespace coracle
