// Prints the contents of a run, from its files alone.
#include "app/commands.h"
#include "app/print.h"
#include "coracle/base/amounts.h"
#include "coracle/base/files.h"
#include "coracle/out/checkpoint.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/frames.h"
#include "coracle/out/judge.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"
#include "coracle/world.h"
#include "coracle/world/build.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace coracle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Span {
  double low = 0, high = 0, sum = 0;
  long count = 0;
  void add(double x) {
    low = count == 0 ? x : std::min(low, x);
    high = count == 0 ? x : std::max(high, x);
    sum += x;
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  Json json() const { return {{"min", low}, {"mean", mean()}, {"max", high}}; }
};

// A deformable body over the run.
struct BodyTotals {
  std::string name;
  double volume = 0, kinetic_energy = 0, elastic_energy = 0;  // m³, J, J: now
  Span quality = {}, penetration = {};                        // 1, m
};

// Sums and extremes over the lines of stats.jsonl.
struct Totals {
  long steps = 0, retries = 0;
  double time = 0, volume = 0, expected_volume = 0, memory_mb = 0;
  double smoke = 0, expected_smoke = 0;  // m³ of smoke of 1
  Span dt, iterations, gap, contacts;
  std::map<std::string, double> stages;  // s
  std::map<std::string, long> notes;     // number of occurrences
  std::vector<BodyTotals> bodies;
};

// 0 if the step has no such number.
double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

void add_body(const Json& body, std::vector<BodyTotals>& bodies) {
  if (!body.contains("min_element_quality")) return;  // a rigid solid
  const std::string name = body.value("name", "");
  auto b = std::find_if(bodies.begin(), bodies.end(), [&](const BodyTotals& t) { return t.name == name; });
  if (b == bodies.end()) b = bodies.insert(b, BodyTotals{.name = name});
  b->volume = number(body, "volume");
  b->kinetic_energy = number(body, "kinetic_energy");
  b->elastic_energy = number(body, "elastic_energy");
  b->quality.add(number(body, "min_element_quality"));
  b->penetration.add(number(body, "penetration"));
}

Totals add_up(const std::string& path) {
  Totals t;
  if (!fs::exists(path)) return t;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    const Json step = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!step.is_object()) continue;  // the unfinished last line of a killed run
    ++t.steps;
    t.retries += long(number(step, "retries"));
    t.time = number(step, "time");
    t.dt.add(number(step, "dt"));
    t.memory_mb = std::max(t.memory_mb, number(step, "memory_mb"));
    if (step.contains("solver")) t.iterations.add(number(step["solver"], "iterations"));
    if (step.contains("contact")) {
      t.gap.add(number(step["contact"], "min_distance"));
      t.contacts.add(number(step["contact"], "active"));
    }
    if (step.contains("liquid")) {
      t.volume = number(step["liquid"], "volume");
      t.expected_volume = number(step["liquid"], "expected_volume");
    }
    if (step.contains("gas")) {
      t.smoke = number(step["gas"], "smoke");
      t.expected_smoke = number(step["gas"], "expected_smoke");
    }
    if (step.contains("bodies"))
      for (const Json& body : step["bodies"]) add_body(body, t.bodies);
    if (step.contains("stages"))
      for (const auto& [stage, seconds] : step["stages"].items())
        if (seconds.is_number()) t.stages[stage] += seconds.get<double>();
    if (step.contains("notes"))
      for (const Json& note : step["notes"])
        if (note.is_string()) ++t.notes[note.get<std::string>()];
  }
  return t;
}

struct Kind {
  long count = 0;
  std::uintmax_t bytes = 0;
};

// 0 if a run that goes on has just deleted the file.
std::uintmax_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error ? 0 : bytes;
}

// Files by kind: "frames/surface.*.ply" for all frames.
std::map<std::string, Kind> files_by_kind(const std::string& dir) {
  std::map<std::string, Kind> kinds;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(dir, fs::directory_options::skip_permission_denied)) {
    if (!entry.is_regular_file()) continue;
    std::string name = fs::relative(entry.path(), dir).string();
    if (name.starts_with('.')) continue;
    // The frame number is between the last two dots.
    const std::size_t extension = name.rfind('.');
    const std::size_t dot =
        extension == std::string::npos ? extension : name.find_last_not_of("0123456789", extension - 1);
    if (dot != std::string::npos && name[dot] == '.' && dot + 1 < extension)
      name.replace(dot + 1, extension - dot - 1, "*");
    ++kinds[name].count;
    kinds[name].bytes += size_of(entry.path());
  }
  return kinds;
}

Json as_json(const std::vector<Judgement>& judgements) {
  Json list = Json::array();
  for (const Judgement& j : judgements) {
    const Expectation& e = j.expectation;
    const char* verdict = j.verdict == Verdict::pass ? "pass" : j.verdict == Verdict::fail ? "fail" : "not_reached";
    Json entry = {{"verdict", verdict}, {"claim", e.claim}, {"of", e.of}, {"take", words(e.take)[int(e.take)]}};
    if (e.take == Take::count_above) entry["above"] = e.above;
    entry["from"] = e.from;
    if (e.to < no_end) entry["to"] = e.to;
    entry["measured"] = j.measured;  // null if there is no value
    if (e.at_least) entry["at_least"] = *e.at_least;
    if (e.at_most) entry["at_most"] = *e.at_most;
    entry["reason"] = e.reason;
    if (!j.note.empty()) entry["note"] = j.note;
    list.push_back(std::move(entry));
  }
  return list;
}

Json gather(const std::string& dir, const Scene& scene, const std::vector<Judgement>& judgements) {
  const Grid grid = scene_grid(scene.domain);
  const Totals t = add_up(stats_file(dir));
  const Replay replay = open_replay(dir);
  const std::vector<FrameProblem> problems = find_problems(replay);
  Json checkpoints = Json::array();
  for (const std::string& file : checkpoint_files(dir)) {
    const CheckpointState state = inspect_checkpoint(file);
    Json entry = {{"file", file}};
    if (state.damage.empty()) {
      entry["frame"] = state.clock.frame;
      entry["step"] = state.clock.step;
    } else {
      entry["damage"] = state.damage;
    }
    entry["bytes"] = size_of(file);
    checkpoints.push_back(std::move(entry));
  }

  Json info;
  info["title"] = scene.title;
  if (!scene.preset.empty()) info["preset"] = scene.preset;
  info["state"] = run_state(dir, scene.time.frames);
  info["grid"] = {{"cells", {grid.n.x(), grid.n.y(), grid.n.z()}}, {"dx", grid.dx}};
  info["frames"] = {{"asked", scene.time.frames},
                    {"reached", long(t.time * scene.time.fps + 1e-6)},
                    {"on_disk", replay.frames.size()},
                    {"problems", problems.empty() ? "" : problems_text(replay, problems)}};
  info["steps"] = t.steps;
  info["retries"] = t.retries;
  info["time"] = t.time;
  info["dt"] = t.dt.json();
  const Conserved conserved = conserved_amount(scene);
  info["liquid"] = conserved == Conserved::volume;
  info["volume"] = {{"now", t.volume},
                    {"expected", t.expected_volume},
                    {"drift", t.expected_volume > 0 ? t.volume / t.expected_volume - 1 : 0}};
  if (conserved == Conserved::smoke) info["smoke"] = {{"now", t.smoke}, {"expected", t.expected_smoke}};
  info["bodies"] = Json::array();
  for (const BodyTotals& b : t.bodies)
    info["bodies"].push_back({{"name", b.name},
                              {"volume", b.volume},
                              {"kinetic_energy", b.kinetic_energy},
                              {"elastic_energy", b.elastic_energy},
                              {"least_quality", b.quality.low},
                              {"deepest_penetration", b.penetration.high}});
  if (t.gap.count > 0) info["contact"] = {{"min_distance", t.gap.low}, {"active", t.contacts.json()}};
  info["expectations"] = as_json(judgements);
  info["iterations"] = t.iterations.json();
  info["stages"] = Json::object();
  std::vector<std::pair<std::string, double>> stages(t.stages.begin(), t.stages.end());
  std::stable_sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [stage, seconds] : stages) info["stages"][stage] = seconds;
  info["peak_memory_mb"] = t.memory_mb;
  info["checkpoints"] = std::move(checkpoints);
  info["files"] = Json::object();
  std::uintmax_t bytes = 0;
  for (const auto& [name, kind] : files_by_kind(dir)) {
    info["files"][name] = {{"count", kind.count}, {"bytes", kind.bytes}};
    bytes += kind.bytes;
  }
  info["bytes"] = bytes;
  info["notes"] = Json::object();
  for (const auto& [note, count] : t.notes) info["notes"][note] = count;
  return info;
}

void print_info(const std::string& dir, const Json& i, const std::vector<Judgement>& judgements) {
  const auto row = [](const char* label, const std::string& text) { print("  {:<12}{}\n", label, text); };
  const Json& cells = i["grid"]["cells"];
  const auto seconds = [](const Json& x) { return x.get<double>(); };

  const std::string title = i["title"];
  print("{}\n", title.empty() ? dir : one_line(title, longest_title));
  if (i.contains("preset")) row("preset", i["preset"].get<std::string>());
  const std::string state = i["state"];
  row("state", state == "interrupted" ? "interrupted; to continue: " + resume_command(dir)
               : state == "failed"    ? "failed; to repeat the failing step: " + resume_command(dir)
                                      : state);
  row("grid", fmt::format("{} x {} x {} cells of {:.4g} m", cells[0].get<int>(), cells[1].get<int>(),
                          cells[2].get<int>(), i["grid"]["dx"].get<double>()));
  row("frames", fmt::format("{} of {}; {} on disk", i["frames"]["reached"].get<long>(),
                            i["frames"]["asked"].get<long>(), i["frames"]["on_disk"].get<long>()));
  if (const std::string problems = i["frames"]["problems"]; !problems.empty()) row("warning", problems);
  row("steps", fmt::format("{} ({} repeated with a smaller dt)", i["steps"].get<long>(), i["retries"].get<long>()));
  row("simulated", fmt::format("{:.4g} s", seconds(i["time"])));
  row("dt", fmt::format("{:.3g} / {:.3g} / {:.3g} s (min, mean, max)", seconds(i["dt"]["min"]),
                        seconds(i["dt"]["mean"]), seconds(i["dt"]["max"])));
  if (i["liquid"].get<bool>())
    row("liquid", fmt::format("{:.5g} m³, {:+.3f} % off the expected {:.5g} m³", seconds(i["volume"]["now"]),
                              100 * seconds(i["volume"]["drift"]), seconds(i["volume"]["expected"])));
  if (i.contains("smoke"))
    row("smoke", fmt::format("{:.5g} m³ × density; expected {:.5g} m³", seconds(i["smoke"]["now"]),
                             seconds(i["smoke"]["expected"])));
  for (const Json& b : i["bodies"])
    row("body",
        fmt::format("{}: {:.5g} m³, kinetic {:.4g} J, elastic {:.4g} J; worst element quality {:.3f}, deepest "
                    "penetration {:.2g} m",
                    b["name"].get<std::string>(), seconds(b["volume"]), seconds(b["kinetic_energy"]),
                    seconds(b["elastic_energy"]), seconds(b["least_quality"]), seconds(b["deepest_penetration"])));
  if (i.contains("contact"))
    row("contact", fmt::format("smallest gap {:.2g} m; {:.0f} pairs at most, {:.0f} in the mean",
                               seconds(i["contact"]["min_distance"]), seconds(i["contact"]["active"]["max"]),
                               seconds(i["contact"]["active"]["mean"])));
  if (!judgements.empty()) print("  expectations\n{}", judgement_table(judgements, 4));
  row("iterations",
      fmt::format("{:.1f} mean, {:.0f} max", seconds(i["iterations"]["mean"]), seconds(i["iterations"]["max"])));
  row("memory", fmt::format("{:.0f} MB at most", seconds(i["peak_memory_mb"])));

  double total = 0;
  for (const Json& stage : i["stages"]) total += seconds(stage);
  row("stages", fmt::format("{:.4g} s in all", total));
  for (const auto& [stage, time] : i["stages"].items())
    print("    {:<24}{:>9.3f} s {:>5.1f} %\n", stage, seconds(time), total > 0 ? 100 * seconds(time) / total : 0);

  if (i["checkpoints"].empty()) row("checkpoint", "none");
  for (const Json& c : i["checkpoints"]) {
    const std::string what = c.contains("damage")
                                 ? c["damage"].get<std::string>()
                                 : fmt::format("frame {}, step {}", c["frame"].get<int>(), c["step"].get<long>());
    row("checkpoint",
        fmt::format("{} ({}; {})", c["file"].get<std::string>(), what, size_text(c["bytes"].get<double>())));
  }
  row("files", fmt::format("{} in all", size_text(i["bytes"].get<double>())));
  for (const auto& [name, kind] : i["files"].items())
    print("    {:<32}{:>6} {:>9}\n", name, kind["count"].get<long>(), size_text(kind["bytes"].get<double>()));
  if (!i["notes"].empty()) row("notes", "");
  for (const auto& [note, count] : i["notes"].items()) print("    {}x {}\n", count.get<long>(), note);
}

}  // namespace

int info_command(const std::string& dir, bool json) {
  require_run(dir);
  const Scene scene = load_scene(scene_file(dir));
  const std::vector<Judgement> judgements =
      judge(load_expectations(scene_file(dir), scene), dir, scene.time.frames / scene.time.fps);
  const Json info = gather(dir, scene, judgements);
  if (json)
    print("{}\n", info.dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_info(dir, info, judgements);
  return 0;
}

}  // namespace coracle
