#include "validation/report.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/show/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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

constexpr const char *title = "# Validation\n\n", *heading = "\n## ";
constexpr const char *pass_cell = "| pass |\n", *fail_cell = "| **fail** |\n";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

// A report's sections by the names of their cases.
std::map<std::string, std::string> sections_of(const std::string& report) {
  std::map<std::string, std::string> sections;
  const std::size_t mark = std::string(heading).size();
  for (std::size_t begin = report.find(heading); begin != std::string::npos;) {
    const std::size_t end = std::min(report.find(heading, begin + mark), report.size());
    const std::size_t name = begin + mark;
    sections[report.substr(name, report.find('\n', name) - name)] = report.substr(begin, end - begin);
    begin = end < report.size() ? end : std::string::npos;
  }
  return sections;
}

std::string section_of(const Finished& f, const std::filesystem::path& plots) {
  std::string text =
      fmt::format("{}{}\n\n{} ({:.1f} s)\n\n| result | measured | expected | unit | source | |\n|--|--|--|--|--|--|\n",
                  heading, f.what->name, f.what->claim, f.seconds);
  for (const Result& r : f.outcome.results) {
    std::string name = r.name;
    for (std::size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2) name.insert(at, "\\");
    text += fmt::format("| {} | {:.6g} | {} | {} | {} {}", name, r.measured, bound_text(r), r.unit, r.source,
                        r.pass() ? pass_cell : fail_cell);
  }
  int number = 0;
  for (const Curve& curve : f.outcome.curves) {
    const std::string name = fmt::format("{}-{}.svg", f.what->name, ++number);
    std::filesystem::create_directories(plots);
    write_atomically((plots / name).string(), charts_svg({chart_of(curve)}));
    text += fmt::format("\n![{}](plots/{})\n", curve.title, name);
  }
  return text;
}

}  // namespace

std::string bound_text(const Result& r) {
  if (r.relation == Relation::reported) return "reported";
  if (r.relation == Relation::at_most) return fmt::format("≤ {:.6g}", r.expected);
  if (r.relation == Relation::at_least) return fmt::format("≥ {:.6g}", r.expected);
  return fmt::format("{:.6g} ± {:.3g}", r.expected, r.tolerance);
}

void check_report(const std::string& file) {
  if (std::filesystem::exists(file) && !read_file(file).starts_with(title))
    throw SceneError({{{"--report " + file, 0, 0}, "is a file, and not a report; name another one"}});
}

void add_to_report(const std::string& file, const Finished& finished) {
  check_report(file);
  std::map<std::string, std::string> sections;  // by case
  if (std::filesystem::exists(file)) sections = sections_of(read_file(file));
  sections[finished.what->name] = section_of(finished, std::filesystem::path(file).parent_path() / "plots");
  std::size_t passed = 0, failed = 0;
  std::string body;
  for (const Case& c : cases()) {
    const std::string& section = sections[c.name];
    body += section;
    passed += count(section, pass_cell), failed += count(section, fail_cell);
  }
  write_atomically(file,
                   fmt::format("{}Written by `./do validate`: {} of {} results pass. Lines are computed, dots are the "
                               "reference. Sources are keys of REFERENCES.bib or formulas.\n{}",
                               title, passed, passed + failed, body));
}

}  // namespace coracle::validation
