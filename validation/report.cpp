#include "validation/report.h"

#include "coracle/base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace coracle::validation {
namespace {

constexpr double width = 560, height = 300, left = 70, right = 20, top = 30, bottom = 45;
constexpr double legend = 130;  // beside the plot, where series have names
constexpr const char *computed = "#1668b8", *reference = "#d1495b";
constexpr const char* colors[] = {"#2e933c", "#8d5a97", "#e08e2b", "#3aa6a0", "#7a6a4f", "#c2185b", "#555555"};

// Values to places on the page, from `at_lo` to `at_hi`.
struct Axis {
  double at_lo, at_hi;
  bool log = false;
  double lo = INFINITY, hi = -INFINITY;

  void add(double v) {
    if (log && !(v > 0)) return;
    lo = std::min(lo, v), hi = std::max(hi, v);
  }
  void widen() {
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
      const bool few = hi / lo < 200;  // then 2 and 5 as well as the powers of ten
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

std::string line(const Axis& x, const Axis& y, const Points& points, const std::string& stroke) {
  const std::size_t every = std::max<std::size_t>(1, points.size() / 600);
  std::string path;
  for (std::size_t i = 0; i < points.size(); i += every)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(points[i].first), y(points[i].second));
  return fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n", path, stroke);
}

std::string dots(const Axis& x, const Axis& y, const Points& points, const std::string& color) {
  constexpr std::size_t most = 40;
  const std::size_t every = std::max<std::size_t>(1, points.size() / most);
  std::string svg;
  for (std::size_t i = 0; i < points.size(); i += every)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(points[i].first),
                       y(points[i].second), color);
  return svg;
}

}  // namespace

std::string bound_text(const Result& r) {
  if (r.relation == Relation::reported) return "reported";
  if (r.relation == Relation::at_most) return fmt::format("≤ {:.6g}", r.expected);
  if (r.relation == Relation::at_least) return fmt::format("≥ {:.6g}", r.expected);
  return fmt::format("{:.6g} ± {:.3g}", r.expected, r.tolerance);
}

std::string plot_svg(const Curve& curve) {
  Axis x{left, width - right, curve.log}, y{height - bottom, top, curve.log};
  const auto add = [&](const Points& points) {
    for (const auto& [px, py] : points) x.add(px), y.add(py);
  };
  add(curve.measured), add(curve.reference);
  for (const Curve::Series& s : curve.others) add(s.points);
  x.widen(), y.widen();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"18\" font-size=\"14\">{3}</text>\n",
      width + (curve.others.empty() ? 0 : legend), height, left, curve.title);
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
                     height - 8, curve.x_label);
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (top + height - bottom) / 2, curve.y_label);
  double legend_at = top;
  const auto name = [&](const std::string& text, const std::string& color) {
    legend_at += 18;
    if (!curve.others.empty())
      svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n", width,
                         legend_at, color, width + 10, legend_at + 4, text);
  };
  name("computed", computed);
  if (!curve.reference.empty()) name("reference", reference);
  for (std::size_t i = 0; i < curve.others.size(); ++i) {
    const Curve::Series& series = curve.others[i];
    const std::string color = colors[i % std::size(colors)];
    name(series.name, color);
    svg += line(x, y, series.points, fmt::format("stroke=\"{}\" stroke-dasharray=\"2 3\"", color)) +
           dots(x, y, series.points, color);
  }
  svg += line(x, y, curve.measured, fmt::format("stroke=\"{}\" stroke-width=\"1.6\"", computed));
  constexpr std::size_t few = 20;  // then each is a run of its own
  if (curve.measured.size() < few) svg += dots(x, y, curve.measured, computed);
  return svg + dots(x, y, curve.reference, reference) + "</svg>\n";
}

void write_report(const std::string& file, const std::vector<Finished>& finished) {
  namespace fs = std::filesystem;
  const fs::path plots = fs::path(file).parent_path() / "plots";
  fs::create_directories(plots);
  std::size_t passed = 0, total = 0;
  std::string body;
  for (const Finished& f : finished) {
    body += fmt::format(
        "\n## {}\n\n{} ({:.1f} s)\n\n| result | measured | expected | unit | source | |\n|--|--|--|--|--|--|\n",
        f.what->name, f.what->claim, f.seconds);
    for (const Result& r : f.outcome.results) {
      ++total;
      passed += r.pass();
      std::string name = r.name;
      for (std::size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      body += fmt::format("| {} | {:.6g} | {} | {} | {} | {} |\n", name, r.measured, bound_text(r), r.unit, r.source,
                          r.pass() ? "pass" : "**fail**");
    }
    int number = 0;
    for (const Curve& curve : f.outcome.curves) {
      const std::string name = fmt::format("{}-{}.svg", f.what->name, ++number);
      write_atomically((plots / name).string(), plot_svg(curve));
      body += fmt::format("\n![{}](plots/{})\n", curve.title, name);
    }
  }
  write_atomically(
      file,
      fmt::format("# Validation\n\nWritten by `./do validate`: {} of {} results pass. Lines are computed, dots are the "
                  "reference. Sources are keys of REFERENCES.bib or formulas.\n",
                  passed, total) +
          body);
}

}  // namespace coracle::validation
