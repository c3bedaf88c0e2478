#include "coracle/out/compare_steps.h"

#include "coracle/base/files.h"
#include "coracle/base/polyline.h"
#include "coracle/out/figures.h"
#include "coracle/out/judge.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/parse_toml.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double time_slack = 1e-9;  // s per second: times are sums of steps

double slack_at(double time) { return time_slack * std::max(1.0, time); }

// ---- Options

StatsLine as_json(const toml::node& node);

StatsLine as_json(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(key.str(), &node);
  const auto place = [](const toml::node* n) { return std::pair(n->source().begin.line, n->source().begin.column); };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& x, const auto& y) { return place(x.second) < place(y.second); });
  StatsLine object = StatsLine::object();
  for (const auto& [key, node] : entries) object[key] = as_json(*node);
  return object;
}

StatsLine as_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) return as_json(*table);
  if (const toml::array* array = node.as_array()) {
    StatsLine list = StatsLine::array();
    for (const toml::node& entry : *array) list.push_back(as_json(entry));
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  return nullptr;  // dates: no scene has them
}

// ---- Steps

void without_clock(StatsLine& step) {
  for (const char* key : {"stages", "memory_mb"}) step.erase(key);
  if (step.contains("sph") && step["sph"].is_object()) step["sph"].erase("phases");
  if (step.contains("solver") && step["solver"].is_object())
    for (const char* key : {"setup_s", "solve_s", "bodies_s"}) step["solver"].erase(key);
}

// The steps of a run, without what the clock and the system's memory say, and how far they got.
std::vector<StatsLine> read_steps(const Replay& run, RunReached& progress) {
  const Scene& scene = run.scene;
  progress = {.dir = run.dir,
              .title = scene.title,
              .preset = scene.preset,
              .state = run_state(run.dir, scene.time.frames),
              .frames_asked = scene.time.frames};
  std::vector<StatsLine> steps;
  for_each_step(run.dir, [&](const StatsLine& line) {
    if (line.contains("stages"))
      for (const auto& [stage, seconds] : line["stages"].items())
        if (seconds.is_number()) progress.wall += seconds.get<double>();
    progress.time = line.value("time", 0.0);
    steps.push_back(line);
    without_clock(steps.back());
  });
  progress.steps = long(steps.size());
  progress.frames = long(progress.time * scene.time.fps + 1e-6);
  return steps;
}

StepsDifference first_difference(const std::vector<StatsLine>& a, const std::vector<StatsLine>& b) {
  StepsDifference found{.common = long(std::min(a.size(), b.size()))};
  for (long i = 0; i < found.common && found.first == 0; ++i) {
    found.where = json_differences(a[i], b[i]);
    if (!found.where.empty()) found.first = i + 1, found.time = a[i].value("time", 0.0);
  }
  return found;
}

// ---- Figures

std::vector<Expectation> usual_figures(const Scene& scene) {
  std::vector<std::string> texts;
  if (conserved_amount(scene) == Conserved::volume)
    texts = {"last liquid.volume", "max liquid.max_speed", "last liquid.kinetic_energy",
             "last liquid.potential_energy"};
  if (conserved_amount(scene) == Conserved::smoke)
    texts = {"last gas.smoke", "max gas.max_speed", "max gas.max_temperature", "last gas.kinetic_energy"};
  for (const BodyOptions& body : scene.bodies)
    for (const char* what : {"volume", "kinetic_energy", "elastic_energy", "center.x", "center.y", "center.z"})
      texts.push_back("last bodies." + body.name + "." + what);
  texts.emplace_back("mean solver.iterations");
  std::vector<Expectation> figures;
  figures.reserve(texts.size());
  for (const std::string& text : texts) figures.push_back(parse_figure(text));
  return figures;
}

std::vector<Expectation> choose_figures(const Replay& a, const Replay& b) {
  std::vector<Expectation> figures;
  for (const Replay* run : {&a, &b}) add_figures(figures, load_expectations(scene_file(run->dir), run->scene));
  if (!figures.empty()) return figures;
  for (const Replay* run : {&a, &b}) add_figures(figures, usual_figures(run->scene));
  return figures;
}

Points history_of(const std::string& of, const std::vector<StatsLine>& steps) {
  Points points;
  std::string ignored;
  for (const StatsLine& step : steps)
    if (const std::optional<double> x = number_at(step, of, ignored)) points.emplace_back(step.value("time", 0.0), *x);
  return points;
}

// Of the history, linear between the ends of steps: another length of the steps changes it by no more than that line.
double figure_of(const Expectation& e, const Points& history, const TimeSpan& span) {
  const Points part = cut_out(history, span);
  std::vector<double> values, weights;
  for (std::size_t i = 0; i < part.size(); ++i) {  // weights: those of the trapezoidal rule
    const double before = part[i].first - part[i > 0 ? i - 1 : 0].first;
    const double behind = part[i + 1 < part.size() ? i + 1 : i].first - part[i].first;
    values.push_back(part[i].second);
    weights.push_back(part.size() > 1 ? (before + behind) / 2 : 1);
  }
  return taken(e, values, weights);
}

Points ending_in(Points history, const TimeSpan& span) {
  std::erase_if(history, [&](const auto& p) {
    return p.first < span.from - slack_at(p.first) || p.first > span.to + slack_at(p.first);
  });
  return history;
}

double count_of(const Expectation& e, const Points& steps) {
  std::vector<double> values;
  for (const auto& [t, x] : steps) values.push_back(x);
  return taken(e, values, values);
}

FigureDifference compare_figure(const Expectation& e, const Points& a, const Points& b, double end) {
  const TimeSpan asked{e.from, std::min(e.to, end)};
  FigureDifference found{figure_name(e), NAN, NAN};
  if (e.take == Take::count_above) {
    const Points steps_a = ending_in(a, asked), steps_b = ending_in(b, asked);
    found.in_a = !steps_a.empty(), found.in_b = !steps_b.empty();
    found.a = count_of(e, steps_a), found.b = count_of(e, steps_b);
    return found;
  }
  const auto within_asked = [&](const Points& points) {
    TimeSpan span = common_span(asked, span_of(points));
    if (span.from > span.to && span.from - span.to <= slack_at(span.from)) span.from = span.to;
    return span;
  };
  const TimeSpan of_a = within_asked(a), of_b = within_asked(b);
  const TimeSpan both = common_span(of_a, of_b);
  found.in_a = !of_a.is_empty(), found.in_b = !of_b.is_empty();
  found.a = figure_of(e, a, found.in_b ? both : of_a);
  found.b = figure_of(e, b, found.in_a ? both : of_b);
  return found;
}

}  // namespace

std::vector<JsonDifference> option_differences(const std::string& dir_a, const std::string& dir_b) {
  const auto scene = [](const std::string& dir) {
    return as_json(parse_toml(read_toml_text(scene_file(dir)), scene_file(dir)));
  };
  return json_differences(scene(dir_a), scene(dir_b));
}

double FigureDifference::relative() const {
  if (a == b || is_missing()) return 0;
  const double size = difference() / std::abs(a);
  return std::isnan(size) ? INFINITY : size;
}

RunsDifference compare_steps(const Replay& a, const Replay& b, std::vector<Expectation> figures) {
  RunsDifference found;
  const std::vector<StatsLine> steps_a = read_steps(a, found.a), steps_b = read_steps(b, found.b);
  found.steps = first_difference(steps_a, steps_b);
  if (figures.empty()) figures = choose_figures(a, b);
  const double end = std::min(found.a.time, found.b.time);
  for (const Expectation& e : figures)
    found.figures.push_back(compare_figure(e, history_of(e.of, steps_a), history_of(e.of, steps_b), end));
  return found;
}

}  // namespace coracle
