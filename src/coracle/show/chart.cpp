#include "coracle/show/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    if (hi > lo) return;
    const double pad = std::max(std::abs(lo), 1e-9) * 0.1;
    lo -= pad, hi += pad;
  }
  double operator()(double v) const {
    const double share = log ? std::log(v / lo) / std::log(hi / lo) : (v - lo) / (hi - lo);
    return at_lo + share * (at_hi - at_lo);
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

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

// If there are many points, each bucket shows its smallest and its largest value, so that no peak is lost.
std::string line(const Axis& x, const Axis& y, const Points& points, const std::string& stroke) {
  const std::size_t bucket = points.size() > most_points ? 2 * points.size() / most_points : 1;
  std::string path;
  bool pen_up = true;
  const auto to = [&](const std::pair<double, double>& p) {
    if (!x.shows(p.first) || !y.shows(p.second)) {
      pen_up = true;
      return;
    }
    path += fmt::format("{}{:.1f} {:.1f}", pen_up ? "M" : "L", x(p.first), y(p.second));
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
  return fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n", path, stroke);
}

std::string dots(const Axis& x, const Axis& y, const Points& points, const std::string& color) {
  const std::size_t every = std::max<std::size_t>(1, points.size() / most_dots);
  std::string svg;
  for (std::size_t i = 0; i < points.size(); i += every)
    if (x.shows(points[i].first) && y.shows(points[i].second))
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(points[i].first),
                         y(points[i].second), color);
  return svg;
}

std::string chart_svg(const Chart& chart) {
  Axis x{left, width - right, chart.log}, y{height - bottom, top, chart.log};
  for (const Series& s : chart.series)
    for (const auto& [px, py] : s.points)
      if (x.shows(px) && y.shows(py)) x.add(px), y.add(py);
  x.widen(), y.widen();

  std::string svg = fmt::format("<text x=\"{}\" y=\"18\" font-size=\"14\">{}</text>\n", left, escaped(chart.title));
  for (const double v : x.ticks())
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:.4g}</text>\n",
        x(v), top, height - bottom, height - bottom + 16, v);
  for (const double v : y.ticks())
    svg += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.4g}</text>\n",
        left, y(v), width - right, left - 6, y(v) + 4, v);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                     height - 8, escaped(chart.x_label));
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (top + height - bottom) / 2, escaped(chart.y_label));

  double legend_at = top;
  std::size_t next = 0;
  for (const Series& s : chart.series) {
    const std::string color = s.color.empty() ? palette[next++ % std::size(palette)] : s.color;
    if (!s.name.empty()) {
      legend_at += 18;
      svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n", width,
                         legend_at, color, width + 10, legend_at + 4, escaped(s.name));
    }
    if (s.mark == Mark::line) svg += line(x, y, s.points, fmt::format("stroke=\"{}\" stroke-width=\"1.6\"", color));
    if (s.mark == Mark::dotted_line)
      svg += line(x, y, s.points, fmt::format("stroke=\"{}\" stroke-dasharray=\"2 3\"", color));
    constexpr std::size_t few = 20;  // so few points are separate runs: draw each
    if (s.mark != Mark::line || s.points.size() < few) svg += dots(x, y, s.points, color);
  }
  return svg;
}

}  // namespace

std::string charts_svg(const std::vector<Chart>& charts, int columns) {
  const auto named = [](const Chart& chart) {
    return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.name.empty(); });
  };
  const double wide = width + (std::any_of(charts.begin(), charts.end(), named) ? legend : 0);
  const int rows = (int(charts.size()) + columns - 1) / columns;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      columns * wide, rows * height);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::size_t row = i / columns;
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", double(i % columns) * wide, double(row) * height,
                       chart_svg(charts[i]));
  }
  return svg + "</svg>\n";
}

}  // namespace coracle
