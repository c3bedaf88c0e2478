#include "coracle/out/judge.h"
#include "coracle/step/body/measure.h"

#include "coracle/out/frames.h"
#include "coracle/out/series.h"
#include "coracle/out/stats.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/tables.h"
#include "coracle/step/advance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

constexpr std::size_t known_pockets = 16;  // that expectations may name; the true number is unknown before the run
constexpr double time_slack = 1e-9;        // s per second: times are sums of steps
constexpr std::size_t longest_text = 200;  // bytes of a claim or reason in the table

// A line of stats.jsonl with every path that a step of the scene can write.
StatsLine sample_line(const Scene& scene) {
  StepReport report;
  report.fluid = blank_fluid_report(scene);
  std::visit(
      [](auto& fluid) {
        if constexpr (requires { fluid.pockets; }) fluid.pockets.resize(known_pockets);
      },
      report.fluid);
  for (const BodyOptions& b : scene.bodies) {
    report.bodies.emplace_back().name = b.name;
    report.bodies.back().is_body = true;
  }
  if (has_fluid(scene))  // without fluid, the forces on solids are not measured
    for (const SolidOptions& s : scene.solids) report.bodies.emplace_back().name = s.name;
  if (scene.contact.kind == ContactKind::barrier && !scene.bodies.empty()) report.contact.emplace();
  StatsLine line = StatsLine::parse(stats_line(report));
  const std::vector<std::string> columns = probe_columns(scene);
  add_probes(line, columns, std::vector<double>(columns.size(), 0));
  line.erase("stages");  // they depend on the machine: no expectations
  return line;
}

struct Series {
  std::vector<double> value, dt;
  std::string wrong;  // why a step had no value
};

bool holds(const Expectation& e, double measured) {
  return !std::isnan(measured) && !(e.at_least && measured < *e.at_least) && !(e.at_most && measured > *e.at_most);
}

// In code points, as fmt counts them when it pads.
std::size_t width_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<Expectation> load_expectations(const std::string& scene_file, const Scene& scene) {
  const std::string file = expect_file_of(scene_file);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  const StatsLine line = sample_line(scene);
  const auto problem_of = [&](const std::string& of) {
    std::string wrong;
    number_at(line, of, wrong);
    return wrong;
  };
  return parse_expectations(
      read_toml_text(file), file,
      {scene.preset, scene_presets(scene_file), problem_of, words(scene.method)[int(scene.method)]});
}

std::string wrong_path(const Scene& scene, const std::string& of) {
  std::string wrong;
  number_at(sample_line(scene), of, wrong);
  return wrong;
}

double taken(const Expectation& e, const std::vector<double>& values, const std::vector<double>& weights) {
  if (values.empty() || std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); }))
    return std::nan("");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  switch (e.take) {
    case Take::max:
      return *high;
    case Take::min:
      return *low;
    case Take::mean: {
      double sum = 0, weight = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i], weight += weights[i];
      return sum / weight;
    }
    case Take::first:
      return values.front();
    case Take::last:
      return values.back();
    case Take::range:
      return *high - *low;
    case Take::change:
      return values.back() - values.front();
    case Take::ratio:
      return values.back() / values.front();
    case Take::count_above:
      return double(std::count_if(values.begin(), values.end(), [&](double x) { return x > e.above; }));
  }
  return std::nan("");
}

std::vector<Judgement> judge(const std::vector<Expectation>& expectations, const std::string& dir, double end) {
  std::vector<Series> series(expectations.size());
  double reached = 0;  // s
  if (!expectations.empty())
    for_each_step(dir, [&](const StatsLine& line) {
      const double time = line.value("time", 0.0), dt = line.value("dt", 0.0);
      reached = std::max(reached, time);
      for (std::size_t i = 0; i < expectations.size(); ++i) {
        const Expectation& e = expectations[i];
        const double slack = time_slack * std::max(1.0, time);
        if (time < e.from - slack || time > e.to + slack) continue;
        if (const std::optional<double> x = number_at(line, e.of, series[i].wrong)) {
          series[i].value.push_back(*x);
          series[i].dt.push_back(dt);
        }
      }
    });

  std::vector<Judgement> judgements;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const Expectation& e = expectations[i];
    Judgement j{e, Verdict::not_reached, taken(e, series[i].value, series[i].dt), ""};
    const double needed = std::max(e.from, e.to < no_end ? e.to : end);
    if (reached < needed - time_slack * std::max(1.0, needed) || reached == 0)
      j.note = fmt::format("the run is at {:.4g} s, this needs {:.4g} s", reached, needed);
    else
      j.verdict = holds(e, j.measured) ? Verdict::pass : Verdict::fail;
    if (j.verdict == Verdict::fail && series[i].value.empty())
      j.note = series[i].wrong.empty() ? "no step ends in its time" : series[i].wrong;
    else if (j.verdict == Verdict::fail && std::isnan(j.measured))
      j.note = "not a finite number in some step";
    judgements.push_back(std::move(j));
  }
  return judgements;
}

bool any_fails(const std::vector<Judgement>& judgements) {
  return std::any_of(judgements.begin(), judgements.end(),
                     [](const Judgement& j) { return j.verdict == Verdict::fail; });
}

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "FAIL";
    case Verdict::not_reached:
      return "not reached";
  }
  return "";
}

std::string bound_text(const Expectation& e) {
  if (e.at_least && e.at_most) return fmt::format("{:.6g} to {:.6g}", *e.at_least, *e.at_most);
  return e.at_least ? fmt::format("at least {:.6g}", *e.at_least)
                    : fmt::format("at most {:.6g}", e.at_most.value_or(0));
}

std::string judgement_table(const std::vector<Judgement>& judgements, int indent) {
  std::vector<std::vector<std::string>> rows;
  for (const Judgement& j : judgements) {
    const std::string measured = std::isnan(j.measured) ? "-" : fmt::format("{:.6g}", j.measured);
    std::string reason = one_line(j.expectation.reason, longest_text);
    if (!j.note.empty()) reason = fmt::format("({}) {}", one_line(j.note, longest_text), reason);
    rows.push_back(
        {word(j.verdict), one_line(j.expectation.claim, longest_text), measured, bound_text(j.expectation), reason});
  }
  std::vector<std::size_t> widths(5, 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c + 1 < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  std::string text;
  for (const auto& row : rows)
    text += fmt::format("{:{}}{:<{}}  {:<{}}  {:>{}}  {:<{}}  {}\n", "", indent, row[0], widths[0], row[1], widths[1],
                        row[2], widths[2], row[3], widths[3], row[4]);
  return text;
}

}  // namespace coracle
