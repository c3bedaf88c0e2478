#include "validation/report.h"

#include "coracle/base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace coracle::validation {
namespace {

constexpr double width = 560, height = 300, left = 70, right = 20, top = 30, bottom = 45;

// A round step that gives about five ticks.
double tick_step(double range) {
  const double raw = range / 5, scale = std::pow(10, std::floor(std::log10(raw)));
  for (double m : {1.0, 2.0, 5.0})
    if (raw <= m * scale) return m * scale;
  return 10 * scale;
}

struct Range {
  double lo = INFINITY, hi = -INFINITY;
  void add(double v) { lo = std::min(lo, v), hi = std::max(hi, v); }
  void widen() {
    if (!(hi > lo)) {
      const double pad = std::max(std::abs(lo), 1e-9) * 0.1;
      lo -= pad, hi += pad;
    }
  }
};

}  // namespace

std::string bound_text(const Result& r) {
  if (r.relation == Relation::reported) return "reported";
  if (r.relation == Relation::at_most) return fmt::format("≤ {:.6g}", r.expected);
  if (r.relation == Relation::at_least) return fmt::format("≥ {:.6g}", r.expected);
  return fmt::format("{:.6g} ± {:.3g}", r.expected, r.tolerance);
}

std::string plot_svg(const Curve& curve) {
  Range x, y;
  for (const auto* points : {&curve.measured, &curve.reference})
    for (const auto& [px, py] : *points) x.add(px), y.add(py);
  x.widen(), y.widen();
  const auto sx = [&](double v) { return left + (v - x.lo) / (x.hi - x.lo) * (width - left - right); };
  const auto sy = [&](double v) { return height - bottom - (v - y.lo) / (y.hi - y.lo) * (height - top - bottom); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"18\" font-size=\"14\">{3}</text>\n",
      width, height, left, curve.title);
  for (double v = std::ceil(x.lo / tick_step(x.hi - x.lo)) * tick_step(x.hi - x.lo); v <= x.hi;
       v += tick_step(x.hi - x.lo))
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:.4g}</text>\n",
        sx(v), top, height - bottom, height - bottom + 16, std::abs(v) < 1e-12 ? 0 : v);
  for (double v = std::ceil(y.lo / tick_step(y.hi - y.lo)) * tick_step(y.hi - y.lo); v <= y.hi;
       v += tick_step(y.hi - y.lo))
    svg += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.4g}</text>\n",
        left, sy(v), width - right, left - 6, sy(v) + 4, std::abs(v) < 1e-12 ? 0 : v);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                     height - 8, curve.x_label);
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (top + height - bottom) / 2, curve.y_label);
  const std::size_t every = std::max<std::size_t>(1, curve.measured.size() / 600);
  std::string path;
  for (std::size_t i = 0; i < curve.measured.size(); i += every)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", sx(curve.measured[i].first),
                        sy(curve.measured[i].second));
  svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#1668b8\" stroke-width=\"1.6\"/>\n", path);
  constexpr std::size_t most_dots = 40;
  const std::size_t dots = std::max<std::size_t>(1, curve.reference.size() / most_dots);
  for (std::size_t i = 0; i < curve.reference.size(); i += dots)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#d1495b\"/>\n", sx(curve.reference[i].first),
                       sy(curve.reference[i].second));
  return svg + "</svg>\n";
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
