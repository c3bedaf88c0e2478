#include "coracle/out/stats.h"

#include "coracle/base/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <optional>

namespace coracle {
namespace {

using Json = nlohmann::ordered_json;

Json vector(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json body(const BodyReport& b) {
  Json object = {{"name", b.name},
                 {"volume", b.volume},
                 {"center", vector(b.center)},
                 {"wet_area", b.wet_area},
                 {"fluid_force", vector(b.fluid_force)},
                 {"fluid_torque", vector(b.fluid_torque)}};
  if (!b.deformable) return object;
  object["cavity"] = b.cavity;
  object["min_element_quality"] = b.min_element_quality;
  object["kinetic_energy"] = b.kinetic_energy;
  object["elastic_energy"] = b.elastic_energy;
  object["momentum"] = vector(b.momentum);
  object["angular_momentum"] = vector(b.angular_momentum);
  object["penetration"] = b.deepest_penetration;
  object["contacts"] = b.contacts;
  return object;
}

Json pocket_list(const std::vector<PocketReport>& pockets) {
  Json list = Json::array();
  for (const PocketReport& p : pockets) list.push_back({{"volume", p.volume}, {"expected_volume", p.expected_volume}});
  return list;
}

Json gas_of(const GasReport& g) {
  return {{"cells", g.cells},
          {"smoke", g.smoke},
          {"expected_smoke", g.expected_smoke},
          {"heat", g.heat},
          {"max_temperature", g.max_temperature},
          {"max_speed", g.max_speed},
          {"max_divergence", g.max_divergence},
          {"outflow", g.outflow},
          {"kinetic_energy", g.kinetic_energy},
          {"momentum", vector(g.momentum)}};
}

const char* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::not_converged:
      return "not_converged";
    case SolveStatus::broke_down:
      return "broke_down";
  }
  return "";
}

// The step that a line of either file speaks of; none where it is not whole.
std::optional<std::int64_t> step_of(std::string_view line) {
  if (line.starts_with('{')) {
    const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || !object.contains("step") || !object["step"].is_number_integer()) return std::nullopt;
    return object["step"].get<std::int64_t>();
  }
  if (line.starts_with("step,")) return 0;  // the header of probes.csv
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  if (error != std::errc() || end == line.data() + line.size() || *end != ',') return std::nullopt;
  return step;
}

}  // namespace

std::string stats_line(const StepReport& r) {
  Json stages = Json::object();
  for (const auto& [stage, seconds] : r.stages.seconds()) stages[stage] = seconds;
  Json bodies = Json::array();
  for (const BodyReport& b : r.bodies) bodies.push_back(body(b));
  const SolveReport& s = r.solver;
  const LiquidReport& l = r.liquid;
  Json line = {{"step", r.step},
               {"frame", r.frame},
               {"time", r.time},
               {"dt", r.dt},
               {"retries", r.retries},
               {"stages", std::move(stages)},
               {"solver",
                {{"form", s.form},
                 {"status", name(s.status)},
                 {"unknowns", s.unknowns},
                 {"nonzeros", s.nonzeros},
                 {"iterations", s.iterations},
                 {"residual", s.residual},
                 {"setup_s", s.setup_s},
                 {"solve_s", s.solve_s},
                 {"passes", s.passes},
                 {"bodies_s", s.bodies_s}}},
               {"liquid",
                {{"particles", l.particles},
                 {"spray", l.spray},
                 {"cells", l.cells},
                 {"volume", l.volume},
                 {"expected_volume", l.expected_volume},
                 {"max_speed", l.max_speed},
                 {"max_divergence", l.max_divergence},
                 {"kinetic_energy", l.kinetic_energy},
                 {"potential_energy", l.potential_energy},
                 {"momentum", vector(l.momentum)},
                 {"pockets", pocket_list(l.pockets)}}},
               {"bodies", std::move(bodies)},
               {"memory_mb", r.memory_mb}};
  if (r.gas.cells > 0) line["gas"] = gas_of(r.gas);
  if (!r.notes.empty()) line["notes"] = r.notes;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string probes_header(const std::vector<std::string>& columns) {
  std::string line = "step,time";
  for (const std::string& column : columns) line += "," + column;
  return line;
}

std::string probes_line(const StepReport& report) {
  std::string line = fmt::format("{},{}", report.step, report.time);
  for (const double value : report.probes) line += fmt::format(",{}", value);
  return line;
}

void cut_back(const std::string& path, std::int64_t step) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  std::size_t kept = 0;
  for (;;) {
    const std::size_t end = text.find('\n', kept);
    if (end == std::string::npos) break;
    const std::optional<std::int64_t> found = step_of(std::string_view(text).substr(kept, end - kept));
    if (!found || *found > step) break;
    kept = end + 1;
  }
  if (kept < text.size()) write_atomically(path, std::string_view(text).substr(0, kept));
}

}  // namespace coracle
