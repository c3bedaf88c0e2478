#include "validation/report.h"

#include "coracle/base/files.h"
#include "coracle/show/chart.h"

#include <fmt/format.h>

#include <filesystem>

namespace coracle::validation {
namespace {

constexpr const char *computed = "#1668b8", *reference = "#d1495b";

Chart chart_of(const Curve& curve) {
  const bool named = !curve.others.empty();
  Chart chart{curve.title, curve.x_label, curve.y_label, {}, curve.log};
  constexpr const char* colors[] = {"#2e933c", "#8d5a97", "#e08e2b", "#3aa6a0", "#7a6a4f", "#c2185b", "#555555"};
  for (std::size_t i = 0; i < curve.others.size(); ++i)
    chart.series.push_back(
        {curve.others[i].name, curve.others[i].points, Mark::dotted_line, colors[i % std::size(colors)]});
  chart.series.push_back({named ? "computed" : "", curve.measured, Mark::line, computed});
  if (!curve.reference.empty())
    chart.series.push_back({named ? "reference" : "", curve.reference, Mark::dots, reference});
  return chart;
}

}  // namespace

std::string bound_text(const Result& r) {
  if (r.relation == Relation::reported) return "reported";
  if (r.relation == Relation::at_most) return fmt::format("≤ {:.6g}", r.expected);
  if (r.relation == Relation::at_least) return fmt::format("≥ {:.6g}", r.expected);
  return fmt::format("{:.6g} ± {:.3g}", r.expected, r.tolerance);
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
      write_atomically((plots / name).string(), charts_svg({chart_of(curve)}));
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
