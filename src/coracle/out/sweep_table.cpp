#include "coracle/out/sweep_table.h"

#include "coracle/out/figures.h"
#include "coracle/out/judge.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace coracle {
namespace {

void add_time(const std::string& dir, SweepRow& row) {
  for_each_step(dir, [&](const StatsLine& step) {
    ++row.steps;
    if (step.contains("stages"))
      for (const auto& [stage, seconds] : step["stages"].items())
        if (seconds.is_number()) row.wall_s += seconds.get<double>();
  });
}

void fill_in(const std::string& dir, const std::vector<Expectation>& figures, SweepRow& row) {
  const Scene scene = load_scene(scene_file(dir));
  const bool complete = is_complete(dir, scene.time.frames);
  if (row.state != SweepState::failed)
    row.state = complete                                               ? SweepState::done
                : std::filesystem::exists(failed_checkpoint_file(dir)) ? SweepState::failed
                                                                       : SweepState::interrupted;
  const std::vector<Judgement> judgements = judge(figures, dir, scene.time.frames / scene.time.fps);
  for (std::size_t f = 0; f < judgements.size(); ++f)
    if (judgements[f].verdict != Verdict::not_reached) row.figures[f] = judgements[f].measured;
  add_time(dir, row);
}

std::vector<std::string> header(const SweepTable& table, const std::vector<std::string>& settings) {
  std::vector<std::string> cells = settings;
  cells.insert(cells.end(), table.figures.begin(), table.figures.end());
  cells.insert(cells.end(), {"steps", "wall_s", "state"});
  return cells;
}

// `number`: how a figure is written.
template <class F>
std::vector<std::string> cells_of(const SweepRow& row, F&& number) {
  std::vector<std::string> cells = row.values;
  for (const double figure : row.figures) cells.push_back(std::isfinite(figure) ? number(figure) : "");
  const bool ran = row.steps > 0;
  cells.push_back(ran ? std::to_string(row.steps) : "");
  cells.push_back(ran ? fmt::format("{:.3f}", row.wall_s) : "");
  cells.emplace_back(word(row.state));
  return cells;
}

std::string csv_line(std::vector<std::string> cells) {
  for (std::string& cell : cells) {
    if (cell.find_first_of(",\"\n") == std::string::npos) continue;
    std::string quoted = "\"";
    for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
    cell = quoted + "\"";
  }
  return fmt::format("{}\n", fmt::join(cells, ","));
}

template <class T>
std::optional<T> number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// A value of a setting: a number if it is one, whole or not, else its text.
StatsLine value_json(const std::string& value) {
  if (const std::optional<long> whole = number<long>(value)) return *whole;
  if (const std::optional<double> real = number<double>(value); real && std::isfinite(*real)) return *real;
  return value;
}

}  // namespace

const char* word(SweepState state) {
  constexpr const char* words[] = {"done", "failed", "interrupted", "not run"};
  return words[int(state)];
}

SweepTable sweep_table(const std::string& dir, const std::vector<SweepSetting>& settings,
                       const std::vector<Expectation>& figures, const std::map<std::string, std::string>& failures) {
  SweepTable table;
  table.labels = short_labels(settings);
  for (const SweepSetting& s : settings)
    if (s.swept()) table.paths.push_back(s.path);
  for (const Expectation& figure : figures) table.figures.push_back(figure_name(figure));
  for (const SweepRun& run : sweep_runs(settings)) {
    SweepRow row{.run = run.name, .values = run.swept, .figures = std::vector<double>(figures.size(), NAN)};
    if (const auto failure = failures.find(run.name); failure != failures.end())
      row.state = SweepState::failed, row.reason = failure->second;
    const std::string folder = dir + "/" + run.name;
    try {
      if (std::filesystem::exists(scene_file(folder))) fill_in(folder, figures, row);
    } catch (const std::runtime_error& error) {  // damaged files of one run do not cost the others their rows
      row.state = SweepState::failed;
      const std::string text = error.what();
      if (row.reason.empty()) row.reason = "its files cannot be read: " + text.substr(0, text.find('\n'));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string table_csv(const SweepTable& table) {
  std::vector<std::string> first = header(table, table.paths);
  first.emplace_back("run");
  std::string text = csv_line(first);
  for (const SweepRow& row : table.rows) {
    std::vector<std::string> cells = cells_of(row, [](double x) { return fmt::format("{}", x); });
    cells.push_back(row.run);
    text += csv_line(cells);
  }
  return text;
}

std::string table_json(const SweepTable& table) {
  StatsLine rows = StatsLine::array();
  for (const SweepRow& row : table.rows) {
    StatsLine entry = {{"run", row.run}, {"set", StatsLine::object()}, {"figures", StatsLine::object()}};
    for (std::size_t i = 0; i < table.paths.size(); ++i) entry["set"][table.paths[i]] = value_json(row.values[i]);
    for (std::size_t i = 0; i < table.figures.size(); ++i) entry["figures"][table.figures[i]] = row.figures[i];
    entry["steps"] = row.steps;
    entry["wall_s"] = row.wall_s;
    entry["state"] = word(row.state);
    if (!row.reason.empty()) entry["reason"] = row.reason;
    rows.push_back(std::move(entry));
  }
  return rows.dump(2, ' ', false, StatsLine::error_handler_t::replace) + "\n";
}

std::string table_text(const SweepTable& table) {
  std::vector<std::vector<std::string>> lines{header(table, table.labels)};
  for (const SweepRow& row : table.rows)
    lines.push_back(cells_of(row, [](double x) { return fmt::format("{:.6g}", x); }));
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool last = c + 1 == line.size();
      text += last ? line[c] : fmt::format("{:>{}}  ", line[c], widths[c]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace coracle
