#include "coracle/show/chart.h"

#include "coracle/base/files.h"
#include "coracle/show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace coracle {
namespace {

constexpr double width = 560, height = 300, left = 70, right = 20, top = 30, bottom = 45;
constexpr double legend = 130;            // beside the chart, if series have names
constexpr std::size_t most_points = 600;  // per line: about one per pixel
constexpr std::size_t most_dots = 40;
constexpr const char* palette[] = {"#1668b8", "#d1495b", "#2e933c", "#8d5a97", "#e08e2b",
                                   "#3aa6a0", "#7a6a4f", "#c2185b", "#555555"};

// Maps values to positions on the page, from `at_lo` to `at_hi`.
struct Axis {
  double at_lo, at_hi;
  bool log = false;
  double lo = INFINITY, hi = -INFINITY;

  bool shows(double v) const { return std::isfinite(v) && (!log || v > 0); }
  void add(double v) { lo = std::min(lo, v), hi = std::max(hi, v); }
  void widen() {
    if (!(lo <= hi)) lo = log ? 1 : 0, hi = log ? 10 : 1;  // no data
    constexpr double rounding = 1e-12;                     // values that differ by less are equal
    if (hi - lo > rounding * std::max(std::abs(lo), std::abs(hi))) return;
    const double pad = std::max(std::abs(lo), 1e-9) * 0.1;
    lo -= pad, hi += pad;
  }
  double operator()(double v) const {
    const double share = log ? std::log(v / lo) / std::log(hi / lo) : (v - lo) / (hi - lo);
    return at_lo + share * (at_hi - at_lo);
  }
  // With as many digits as tell ticks apart.
  std::string label(double v) const {
    const double size = std::max(std::abs(lo), std::abs(hi));
    const int digits = log ? 4 : std::max(4, int(std::ceil(std::log10(size / (hi - lo)))) + 2);
    return fmt::format("{:.{}g}", v, digits);
  }
  std::vector<double> ticks() const {
    std::vector<double> out;
    if (log) {
      const bool few = hi / lo < 200;  // then ticks at 2 and 5 too, not only at powers of ten
      for (double decade = std::pow(10, std::floor(std::log10(lo))); decade <= hi; decade *= 10)
        for (const double m : {1.0, 2.0, 5.0})
          if ((few || m == 1) && m * decade >= lo * (1 - 1e-9) && m * decade <= hi * (1 + 1e-9))
            out.push_back(m * decade);
      return out;
    }
    // A round step that gives about five ticks.
    const double raw = (hi - lo) / 5, scale = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * scale;
    for (const double m : {5.0, 2.0, 1.0})
      if (raw <= m * scale) step = m * scale;
    for (double v = std::ceil(lo / step) * step; v <= hi; v += step) out.push_back(std::abs(v) < 1e-9 * step ? 0 : v);
    return out;
  }
};

// If there are many points, each bucket shows its smallest and its largest value, so that no peak is lost.
std::vector<Points> lines_of(const Axis& x, const Axis& y, const Points& points) {
  const std::size_t bucket = points.size() > most_points ? 2 * points.size() / most_points : 1;
  std::vector<Points> lines;
  bool pen_up = true;
  const auto to = [&](const std::pair<double, double>& p) {
    if (!x.shows(p.first) || !y.shows(p.second)) {
      pen_up = true;
      return;
    }
    if (pen_up) lines.emplace_back();
    lines.back().emplace_back(x(p.first), y(p.second));
    pen_up = false;
  };
  for (std::size_t i = 0; i < points.size(); i += bucket) {
    const auto begin = points.begin() + std::ptrdiff_t(i),
               end = points.begin() + std::ptrdiff_t(std::min(points.size(), i + bucket));
    const auto [least, most] =
        std::minmax_element(begin, end, [](const auto& a, const auto& b) { return a.second < b.second; });
    to(std::min(least, most)[0]);
    if (least != most) to(std::max(least, most)[0]);
  }
  return lines;
}

Drawing draw(const Chart& chart) {
  Axis x{left, width - right, chart.log}, y{height - bottom, top, chart.log};
  for (const Series& s : chart.series)
    for (const auto& [px, py] : s.points)
      if (x.shows(px) && y.shows(py)) x.add(px), y.add(py);
  x.widen(), y.widen();

  Drawing d{width, height, {}};
  const auto grid_line = [&](double x0, double y0, double x1, double y1) {
    d.marks.emplace_back(Stroke{{{{x0, y0}, {x1, y1}}}, "#dddddd"});
  };
  d.marks.emplace_back(Label{.x = left, .y = 18, .text = chart.title, .large = true});
  for (const double v : x.ticks()) {
    grid_line(x(v), top, x(v), height - bottom);
    d.marks.emplace_back(Label{x(v), height - bottom + 16, x.label(v), Anchor::middle});
  }
  for (const double v : y.ticks()) {
    grid_line(left, y(v), width - right, y(v));
    d.marks.emplace_back(Label{left - 6, y(v) + 4, y.label(v), Anchor::end});
  }
  d.marks.emplace_back(Label{(left + width - right) / 2, height - 8, chart.x_label, Anchor::middle});
  d.marks.emplace_back(Label{14, (top + height - bottom) / 2, chart.y_label, Anchor::middle, /*upwards=*/true});

  double legend_at = top;
  std::size_t next = 0;
  for (const Series& s : chart.series) {
    const std::string color = s.color.empty() ? palette_color(next++) : s.color;
    if (!s.name.empty()) {
      legend_at += 18;
      d.marks.emplace_back(Dot{width, legend_at, color});
      d.marks.emplace_back(Label{.x = width + 10, .y = legend_at + 4, .text = s.name});
    }
    if (s.mark == Mark::line) d.marks.emplace_back(Stroke{lines_of(x, y, s.points), color, 1.6});
    if (s.mark == Mark::dotted_line) d.marks.emplace_back(Stroke{lines_of(x, y, s.points), color, 1, true});
    constexpr std::size_t few = 20;  // so few points are separate runs: draw each
    if (s.mark == Mark::line && s.points.size() >= few) continue;
    const std::size_t every = std::max<std::size_t>(1, s.points.size() / most_dots);
    for (std::size_t i = 0; i < s.points.size(); i += every)
      if (x.shows(s.points[i].first) && y.shows(s.points[i].second))
        d.marks.emplace_back(Dot{x(s.points[i].first), y(s.points[i].second), color});
  }
  return d;
}

}  // namespace

const char* palette_color(std::size_t series) { return palette[series % std::size(palette)]; }

Drawing draw_charts(const std::vector<Chart>& charts, int columns) {
  const auto named = [](const Chart& chart) {
    return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.name.empty(); });
  };
  const double wide = width + (std::any_of(charts.begin(), charts.end(), named) ? legend : 0);
  const int rows = (int(charts.size()) + columns - 1) / columns;
  Drawing page{columns * wide, rows * height, {}};
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    place(page, double(column) * wide, double(row) * height, draw(charts[i]));
  }
  return page;
}

std::string charts_svg(const std::vector<Chart>& charts, int columns) { return as_svg(draw_charts(charts, columns)); }

std::string charts_csv(const std::vector<Chart>& charts) {
  const auto quoted = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
  };
  std::map<double, std::vector<std::string>> rows;  // by x
  std::string text = charts.empty() ? "\"\"" : quoted(charts[0].x_label);
  std::size_t column = 0;
  for (const Chart& chart : charts)
    for (const Series& s : chart.series) {
      const std::string unit = chart.y_label.empty() ? "" : " (" + chart.y_label + ")";
      text += "," + quoted(chart.title + (s.name.empty() ? "" : ": " + s.name) + unit);
      ++column;
      for (const auto& [x, y] : s.points) {
        rows[x].resize(std::max(rows[x].size(), column));
        if (std::isfinite(y)) rows[x][column - 1] = fmt::format("{}", y);
      }
    }
  for (auto& [x, cells] : rows) {
    cells.resize(column);
    text += fmt::format("\n{},{}", x, fmt::join(cells, ","));
  }
  return text + "\n";
}

void write_charts(const std::string& file, const std::vector<Chart>& charts) {
  constexpr int png_scale = 2;
  if (file.ends_with(".png"))
    write_png(file, as_picture(draw_charts(charts, page_columns), png_scale));
  else
    write_atomically(file, file.ends_with(".csv") ? charts_csv(charts) : charts_svg(charts, page_columns));
}

}  // namespace coracle
