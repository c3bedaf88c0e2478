#include "coracle/out/compare_steps.h"

#include "coracle/base/files.h"
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
std::vector<StatsLine> read_steps(const Replay& run, RunProgress& progress) {
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

std::vector<FigureDifference> compare_figures(const std::vector<Expectation>& figures, const RunProgress& a,
                                              const RunProgress& b) {
  std::vector<Expectation> common = figures;
  for (Expectation& e : common) e.to = std::min({e.to, a.time, b.time});
  const std::vector<Judgement> of_a = judge(common, a.dir), of_b = judge(common, b.dir);
  std::vector<FigureDifference> found;
  for (std::size_t f = 0; f < figures.size(); ++f)
    found.push_back({figure_name(figures[f]), of_a[f].measured, of_b[f].measured});
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
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double size = difference() / std::abs(a);
  return std::isnan(size) ? INFINITY : size;
}

RunsDifference compare_steps(const Replay& a, const Replay& b, std::vector<Expectation> figures) {
  RunsDifference found;
  const std::vector<StatsLine> steps_a = read_steps(a, found.a), steps_b = read_steps(b, found.b);
  found.steps = first_difference(steps_a, steps_b);
  if (figures.empty()) figures = choose_figures(a, b);
  found.figures = compare_figures(figures, found.a, found.b);
  return found;
}

}  // namespace coracle
