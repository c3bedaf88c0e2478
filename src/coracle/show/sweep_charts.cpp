#include "coracle/show/sweep_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace coracle {
namespace {

// NaN if the text is no number.
double number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : NAN;
}

struct Horizontal {
  std::string label;
  std::vector<double> x;  // one per row
};

Horizontal horizontal(const SweepTable& table) {
  Horizontal h{table.paths[0], {}};
  for (const SweepRow& row : table.rows) h.x.push_back(number(row.values[0]));
  if (std::all_of(h.x.begin(), h.x.end(), [](double x) { return std::isfinite(x); })) return h;
  std::vector<std::string> seen, parts;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string& value = table.rows[r].values[0];
    const auto found = std::find(seen.begin(), seen.end(), value);
    h.x[r] = 1 + double(found - seen.begin());
    if (found != seen.end()) continue;
    seen.push_back(value);
    parts.push_back(fmt::format("{} {}", seen.size(), value));
  }
  h.label += fmt::format(": {}", fmt::join(parts, ", "));
  return h;
}

// "b=0.5, c=2": the settings behind the first; empty if there are none.
std::string others(const SweepTable& table, const SweepRow& row) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < table.paths.size(); ++i)
    parts.push_back(fmt::format("{}={}", table.labels[i], row.values[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

template <class F>
Chart chart(const SweepTable& table, const Horizontal& h, const std::string& title, const std::string& unit,
            F&& value) {
  Chart c{title, h.label, unit, {}};
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const double y = value(table.rows[r]);
    if (!std::isfinite(y)) continue;
    const std::string name = others(table, table.rows[r]);
    auto series = std::find_if(c.series.begin(), c.series.end(), [&](const Series& s) { return s.name == name; });
    if (series == c.series.end()) series = c.series.insert(series, Series{name, {}});
    series->points.emplace_back(h.x[r], y);
  }
  for (Series& s : c.series) std::sort(s.points.begin(), s.points.end());
  return c;
}

}  // namespace

std::vector<Chart> sweep_charts(const SweepTable& table) {
  if (table.paths.empty()) return {};
  const Horizontal h = horizontal(table);
  std::vector<Chart> charts;
  for (std::size_t f = 0; f < table.figures.size(); ++f)
    charts.push_back(chart(table, h, table.figures[f], "", [&](const SweepRow& row) { return row.figures[f]; }));
  const auto if_done = [](const SweepRow& row, double value) { return row.state == SweepState::done ? value : NAN; };
  charts.push_back(chart(table, h, "Steps", "", [&](const SweepRow& row) { return if_done(row, double(row.steps)); }));
  charts.push_back(chart(table, h, "Time of all steps, by the clock", "s",
                         [&](const SweepRow& row) { return if_done(row, row.wall_s); }));
  std::erase_if(charts, [](const Chart& c) { return c.series.empty(); });
  return charts;
}

}  // namespace coracle
