#include "coracle/scene/nearest.h"
#include "coracle/show/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t longest_value = 40;  // bytes of an option in the table
constexpr std::size_t most_paths = 4;      // of the values that differ in a step

using Rows = std::vector<std::vector<std::string>>;

// In code points, as fmt counts them when it pads.
std::size_t width_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Indented; the first `left` columns begin in line, the others end in line.
std::string aligned(const Rows& rows, std::size_t left) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c < left ? fmt::format(" {:<{}} ", row[c], widths[c]) : fmt::format(" {:>{}} ", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; }
std::string small(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "-"; }
std::string percent(double x) { return std::isfinite(x) ? fmt::format("{:.3g} %", 100 * x) : "-"; }

std::string list_of(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string progress_line(const char* which, const RunReached& r) {
  const std::string preset = r.preset.empty() ? "" : fmt::format(" (preset {})", r.preset);
  return fmt::format("{}  {}{}: {}, {} of {} frames, {} steps, {:.4g} s; {:.4g} s by the clock\n", which, r.dir, preset,
                     r.state, r.frames, r.frames_asked, r.steps, r.time, r.wall);
}

std::string value_text(const std::optional<StatsLine>& value) {
  if (!value) return "-";
  const std::size_t leaves = json_leaves(*value);
  const bool structured = value->is_object() || (value->is_array() && leaves > 1 && value->front().is_object());
  if (structured) return fmt::format("({} options)", leaves);
  return one_line(value->dump(-1, ' ', false, StatsLine::error_handler_t::replace), longest_value);
}

std::string options_text(const std::vector<JsonDifference>& options) {
  if (options.empty()) return "options: the same\n";
  Rows rows{{"option", "A", "B"}};
  for (const JsonDifference& d : options) rows.push_back({d.path, value_text(d.a), value_text(d.b)});
  return "options that differ\n" + aligned(rows, 3);
}

std::string steps_text(const RunsDifference& runs) {
  const StepsDifference& s = runs.steps;
  if (s.common == 0) return "steps: none that both have\n";
  if (s.first == 0 && runs.a.steps == runs.b.steps) return "steps: the same to the bit\n";
  if (s.first == 0) return fmt::format("steps: the {} that both have are the same to the bit\n", s.common);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < std::min(most_paths, s.where.size()); ++i) paths.push_back(s.where[i].path);
  if (s.where.size() > most_paths) paths.push_back(fmt::format("and {} more", s.where.size() - most_paths));
  return fmt::format("steps: the first that differs is {}, which ends at {:.6g} s, in {}\n", s.first, s.time,
                     list_of(paths));
}

std::string figures_text(const RunsDifference& runs) {
  Rows rows{{"figure", "A", "B", "B - A", "relative"}};
  for (const FigureDifference& f : runs.figures)
    rows.push_back(
        {f.figure, number(f.a), number(f.b), small(f.difference()), std::isnan(f.a) ? "-" : percent(f.relative())});
  const double common = std::min(runs.a.time, runs.b.time);
  const bool whole = std::abs(runs.a.time - runs.b.time) <= 1e-9 * common;
  return (whole ? "figures\n" : fmt::format("figures of the first {:.4g} s, which both have\n", common)) +
         aligned(rows, 1);
}

std::string histories_text(const HistoriesDifference& histories) {
  std::string text;
  if (!histories.differ.empty()) {
    Rows rows{{"history", "largest", "", "at", "rms", "largest / range"}};
    for (const HistoryDifference& h : histories.differ)
      rows.push_back({h.name, std::isfinite(h.largest) ? small(h.largest) : "one has none", h.unit,
                      fmt::format("{:.4g} s", h.at), small(h.rms), percent(h.relative())});
    text = "histories that differ, by how much\n" + aligned(rows, 1);
  }
  if (!histories.same.empty())
    text += fmt::format("histories that are the same: {} ({})\n", histories.same.size(), list_of(histories.same));
  if (!histories.only_a.empty()) text += fmt::format("histories of A alone: {}\n", list_of(histories.only_a));
  if (!histories.only_b.empty()) text += fmt::format("histories of B alone: {}\n", list_of(histories.only_b));
  return text;
}

// "surface in 3 frames, drops in 1 frame": each file once.
std::string counted(const std::vector<std::string>& files, bool one_frame) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& file : files) {
    const auto at = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == file; });
    if (at == counts.end())
      counts.emplace_back(file, 1);
    else
      ++at->second;
  }
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [file, count] : counts)
    texts.push_back(one_frame ? file : fmt::format("{} in {} frame{}", file, count, count == 1 ? "" : "s"));
  return list_of(texts);
}

std::string frames_line(const Comparison& c) {
  const FramePair &first = c.frames.front(), &last = c.frames.back();
  if (c.frames.size() == 1 && first.a == first.b)
    return fmt::format("surfaces of frame {}, {:.4g} s\n", first.a, first.a / c.fps);
  if (c.frames.size() == 1)
    return fmt::format("surfaces of frame {} of A and {} of B, {:.4g} s\n", first.a, first.b, first.a / c.fps);
  return fmt::format("surfaces of {} frames of A, {} to {}\n", c.frames.size(), first.a, last.a);
}

std::string surfaces_text(const Comparison& c) {
  if (c.frames.empty()) return "surfaces: there is no frame that both have\n";
  std::vector<std::string> same, shape, bits, only_a, only_b;
  Rows rows{{"surface", "largest", "rms", "mean", "in cells", "", "", "between"}};
  for (const FileDifference& f : c.files) {
    if (f.only != OnlyIn::neither) {
      (f.only == OnlyIn::a ? only_a : only_b).push_back(f.file);
    } else if (f.same_bits) {
      same.push_back(f.file);
    } else if (!f.distance) {
      bits.push_back(f.file);
    } else if (f.distance->largest == 0) {
      shape.push_back(f.file);
    } else {
      const SurfaceDistance& d = *f.distance;
      rows.push_back({c.frames.size() == 1 ? f.file : fmt::format("{} in frame {}", f.file, f.frame.a),
                      small(d.largest) + " m", small(d.rms) + " m", small(d.mean) + " m", small(d.largest / c.cell),
                      small(d.rms / c.cell), small(d.mean / c.cell), small(d.between) + " m³"});
    }
  }
  std::string text = frames_line(c);
  if (rows.size() > 1) text += aligned(rows, 1);
  const auto add = [&](const char* what, const std::vector<std::string>& files) {
    if (!files.empty()) text += fmt::format("  {}: {}\n", what, counted(files, c.frames.size() == 1));
  };
  add("the same to the bit", same);
  add("the same shape with other values on it", shape);
  add("other bits, distance not measured", bits);
  add("only A has triangles or a file", only_a);
  add("only B has triangles or a file", only_b);
  return text;
}

// ---- JSON

StatsLine as_json(const RunReached& r) {
  return {{"dir", r.dir},
          {"title", r.title},
          {"preset", r.preset},
          {"state", r.state},
          {"frames_asked", r.frames_asked},
          {"frames", r.frames},
          {"steps", r.steps},
          {"time", r.time},
          {"wall_s", r.wall}};
}

StatsLine as_json(const JsonDifference& d) {
  StatsLine entry = {{"path", d.path}};
  if (d.a) entry["a"] = *d.a;
  if (d.b) entry["b"] = *d.b;
  return entry;
}

StatsLine as_json(const HistoryDifference& h) {
  return {{"history", h.name}, {"unit", h.unit},   {"largest", h.largest},    {"at", h.at},
          {"rms", h.rms},      {"range", h.range}, {"relative", h.relative()}};
}

StatsLine as_json(const FigureDifference& f) {
  return {{"figure", f.figure}, {"a", f.a}, {"b", f.b}, {"difference", f.difference()}, {"relative", f.relative()}};
}

StatsLine as_json(const FileDifference& f, double cell) {
  StatsLine entry = {{"file", f.file}, {"frame_a", f.frame.a}, {"frame_b", f.frame.b}, {"same_bits", f.same_bits}};
  if (f.only != OnlyIn::neither) entry["only"] = f.only == OnlyIn::a ? "a" : "b";
  if (!f.distance) return entry;
  const SurfaceDistance& d = *f.distance;
  entry["largest"] = d.largest;
  entry["rms"] = d.rms;
  entry["mean"] = d.mean;
  entry["between"] = d.between;
  entry["cells"] = {{"largest", d.largest / cell}, {"rms", d.rms / cell}, {"mean", d.mean / cell}};
  return entry;
}

template <class T, class... More>
StatsLine list_json(const std::vector<T>& all, const More&... more) {
  StatsLine list = StatsLine::array();
  for (const T& entry : all) list.push_back(as_json(entry, more...));
  return list;
}

}  // namespace

std::string comparison_text(const Comparison& c) {
  std::string text = progress_line("A", c.runs.a) + progress_line("B", c.runs.b);
  if (c.runs.a.title != c.runs.b.title)
    text += fmt::format("different scenes, {} and {}: compared is what both have\n", in_quotes(c.runs.a.title),
                        in_quotes(c.runs.b.title));
  text += options_text(c.options);
  const std::vector<std::string> not_finite = not_finite_in_both(c);
  for (const std::string& line : not_finite) text += line + "\n";
  if (!same_results(c) || !not_finite.empty())
    return text + steps_text(c.runs) + figures_text(c.runs) + histories_text(c.histories) + surfaces_text(c);
  const std::string frames = c.files.empty() ? ""
                                             : fmt::format(" and {} files of {} frame{}", c.files.size(),
                                                           c.frames.size(), c.frames.size() == 1 ? "" : "s");
  return text + fmt::format("{}: {} steps{} are the same to the bit\n",
                            c.options.empty() ? "no difference" : "no difference in the results", c.runs.a.steps,
                            frames);
}

std::string comparison_json(const Comparison& c) {
  StatsLine all = {{"a", as_json(c.runs.a)}, {"b", as_json(c.runs.b)}, {"same_results", same_results(c)}};
  all["options"] = list_json(c.options);
  all["steps"] = {{"common", c.runs.steps.common}};
  if (c.runs.steps.first > 0)
    all["steps"]["first_difference"] = {
        {"step", c.runs.steps.first}, {"time", c.runs.steps.time}, {"values", list_json(c.runs.steps.where)}};
  all["figures"] = list_json(c.runs.figures);
  all["histories"] = {{"differ", list_json(c.histories.differ)},
                      {"same", c.histories.same},
                      {"only_a", c.histories.only_a},
                      {"only_b", c.histories.only_b}};
  all["not_finite"] = not_finite_in_both(c);
  all["cell"] = c.cell;
  all["side"] = c.side;
  all["surfaces"] = list_json(c.files, c.cell);
  return all.dump(2, ' ', false, StatsLine::error_handler_t::replace) + "\n";
}

}  // namespace coracle
