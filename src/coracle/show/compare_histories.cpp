#include "coracle/show/compare_histories.h"

#include "coracle/show/run_charts.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double rounding = 1e-12;  // values that differ by less are equal: as in the charts

TimeSpan common_span(const Points& a, const Points& b) { return common_span(span_of(a), span_of(b)); }

std::vector<double> times_within(const TimeSpan& span, const Points& a, const Points& b) {
  std::vector<double> times{span.from, span.to};
  for (const Points* points : {&a, &b})
    for (const auto& [t, y] : *points)
      if (t > span.from && t < span.to) times.push_back(t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::string name_of(const Chart& chart, const Series& series) {
  return chart.title + (series.name.empty() ? "" : ": " + series.name);
}

// The largest value in it, whatever its sign.
double size_of(const Chart& chart) {
  double size = 0;
  for (const Series& series : chart.series)
    for (const auto& [t, y] : series.points)
      if (std::isfinite(y)) size = std::max(size, std::abs(y));
  return size;
}

const Chart* find(const std::vector<Chart>& charts, const std::string& title) {
  const auto at = std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.title == title; });
  return at != charts.end() ? &*at : nullptr;
}

const Series* find(const Chart* chart, const std::string& name) {
  if (!chart) return nullptr;
  const auto at =
      std::find_if(chart->series.begin(), chart->series.end(), [&](const Series& s) { return s.name == name; });
  return at != chart->series.end() ? &*at : nullptr;
}

// seen(chart, series) for every series of `charts` that `others` lacks, or shares no time with.
template <class F>
void for_lone(const std::vector<Chart>& charts, const std::vector<Chart>& others, F&& seen) {
  for (const Chart& chart : charts)
    for (const Series& series : chart.series) {
      const Series* other = find(find(others, chart.title), series.name);
      if (chart.title != clock_chart && (!other || common_span(series.points, other->points).is_empty()))
        seen(chart, series);
    }
}

}  // namespace

double HistoryDifference::relative() const {
  if (largest == 0) return 0;
  return range > 0 ? largest / range : INFINITY;
}

HistoryDifference compare_points(const Points& a, const Points& b, double scale) {
  HistoryDifference found;
  const TimeSpan span = common_span(a, b);
  if (span.is_empty()) return found;

  // 1. The size of a.
  double low = INFINITY, high = -INFINITY, size = 0;
  Polyline line_a(a), line_b(b), again(a);
  const std::vector<double> times = times_within(span, a, b);
  for (const double t : times)
    if (const double y = again(t); std::isfinite(y))
      low = std::min(low, y), high = std::max(high, y), size = std::max(size, std::abs(y));
  found.range = std::max(high - low > rounding * size ? high - low : size, rounding * scale);

  // 2. The difference d, linear between the times: ∫ d² = h (d₀² + d₀ d₁ + d₁²) / 3.
  double before = NAN, t_before = 0, square = 0, length = 0;
  found.at = span.from;
  for (const double t : times) {
    const double ya = line_a(t), yb = line_b(t), d = yb - ya;
    const double apart = std::isfinite(ya) != std::isfinite(yb) ? INFINITY : std::isfinite(d) ? std::abs(d) : 0;
    if (apart > found.largest) found.largest = apart, found.at = t;
    if (!std::isfinite(ya) && !std::isfinite(yb) && !found.none_at) found.none_at = t;
    if (std::isfinite(d) && std::isfinite(before)) {
      square += (t - t_before) * (before * before + before * d + d * d) / 3;
      length += t - t_before;
    }
    before = d, t_before = t;
  }
  found.rms = length > 0 ? std::sqrt(square / length) : found.largest;
  return found;
}

HistoriesDifference compare_histories(const std::vector<Chart>& a, const std::vector<Chart>& b) {
  HistoriesDifference found;
  for_lone(a, b, [&](const Chart& c, const Series& s) { found.only_a.push_back(name_of(c, s)); });
  for_lone(b, a, [&](const Chart& c, const Series& s) { found.only_b.push_back(name_of(c, s)); });
  for (const Chart& chart : a)
    for (const Series& series : chart.series) {
      const Series* other = find(find(b, chart.title), series.name);
      if (!other || chart.title == clock_chart || common_span(series.points, other->points).is_empty()) continue;
      HistoryDifference d = compare_points(series.points, other->points, size_of(chart));
      d.name = name_of(chart, series);
      d.unit = chart.y_label;
      if (d.none_at) found.not_finite.emplace_back(d.name, *d.none_at);
      if (d.largest == 0 && !d.none_at) found.same.push_back(d.name);
      if (d.largest > 0) found.differ.push_back(std::move(d));
    }
  std::stable_sort(found.differ.begin(), found.differ.end(),
                   [](const auto& x, const auto& y) { return x.relative() > y.relative(); });
  return found;
}

std::vector<Chart> overlaid(const std::vector<Chart>& a, const std::vector<Chart>& b) {
  std::vector<Chart> charts = a;
  for (Chart& chart : charts)
    for (std::size_t s = 0; s < chart.series.size(); ++s) chart.series[s].color = palette_color(s);
  for (const Chart& more : b) {
    auto chart = std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.title == more.title; });
    if (chart == charts.end()) chart = charts.insert(chart, Chart{more.title, more.x_label, more.y_label, {}});
    for (const Series& series : more.series) {
      const Series* of_a = find(&*chart, series.name);
      const std::string color = of_a ? of_a->color : palette_color(chart->series.size());
      // In the legend once; a line of b that has no other is named.
      chart->series.push_back({of_a ? "" : series.name, series.points, Mark::dotted_line, color});
    }
  }
  for (Chart& chart : charts) chart.title += " (dashed: B)";
  return charts;
}

}  // namespace coracle
