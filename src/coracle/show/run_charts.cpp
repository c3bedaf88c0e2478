#include "coracle/show/run_charts.h"

#include "coracle/out/series.h"
#include "coracle/scene/tables.h"
#include "coracle/show/probe_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

// The chart's series of that name; added if there is none.
Points& points(Chart& chart, const std::string& name) {
  for (Series& s : chart.series)
    if (s.name == name) return s.points;
  chart.series.push_back({name, {}});
  return chart.series.back().points;
}

bool column_of(const StatsLine& probes, const std::string& name) {
  return probes.contains(name) && probes[name].is_number();
}

double number(const StatsLine& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

}  // namespace

std::vector<Chart> run_charts(const std::string& dir, const std::vector<ProbeOptions>& probes) {
  Chart energy{"Energy", "time, s", "J", {}}, volume{"Volume error", "time, s", "%", {}},
      smoke{"Smoke of 1", "time, s", "m³", {}}, heat{"Hottest gas, above the surroundings", "time, s", "K", {}},
      gap{"Smallest gap between surfaces", "time, s", "mm", {}}, speed{"Fastest liquid or gas", "time, s", "m/s", {}},
      iterations{"Iterations of the solver", "time, s", "", {}}, dt{"Length of a step", "time, s", "ms", {}},
      stages{clock_chart, "time, s", "ms", {}};
  std::vector<Chart> measured;  // in the order of the types' words
  for (const char* type : words(ProbeKind()))
    measured.push_back({fmt::format("Probes: {}", type), "time, s", probe_unit(ProbeKind(measured.size())), {}});
  for_each_step(dir, [&](const StatsLine& step) {
    const double t = number(step, "time");
    const auto add = [&](Chart& chart, const std::string& name, double value) {
      points(chart, name).push_back({t, value});
    };
    if (step.contains("liquid") && number(step["liquid"], "particles") > 0) {
      const StatsLine& liquid = step["liquid"];
      add(energy, "liquid, moving", number(liquid, "kinetic_energy"));
      add(energy, "liquid, height", number(liquid, "potential_energy"));
      add(volume, "liquid", 100 * (number(liquid, "volume") / number(liquid, "expected_volume") - 1));
      add(speed, "", number(liquid, "max_speed"));
      if (liquid.contains("pockets"))
        for (std::size_t p = 0; p < liquid["pockets"].size(); ++p) {
          const StatsLine& pocket = liquid["pockets"][p];
          add(volume, "enclosed " + std::to_string(p + 1),
              100 * (number(pocket, "volume") / number(pocket, "expected_volume") - 1));
        }
    }
    if (step.contains("gas")) {
      const StatsLine& gas = step["gas"];
      add(energy, "gas, moving", number(gas, "kinetic_energy"));
      add(smoke, "there is", number(gas, "smoke"));
      add(smoke, "there should be", number(gas, "expected_smoke"));
      add(heat, "", number(gas, "max_temperature"));
      add(speed, "", number(gas, "max_speed"));
    }
    double moving = 0, strained = 0;
    bool any = false;
    if (step.contains("bodies"))
      for (const StatsLine& body : step["bodies"])
        if (body.contains("elastic_energy"))
          moving += number(body, "kinetic_energy"), strained += number(body, "elastic_energy"), any = true;
    if (any) add(energy, "bodies, moving", moving), add(energy, "bodies, strained", strained);
    if (step.contains("contact")) add(gap, "", 1e3 * number(step["contact"], "min_distance"));
    if (step.contains("solver")) add(iterations, "", number(step["solver"], "iterations"));
    if (step.contains("probes"))
      for (const ProbeOptions& probe : probes)
        for (const char* component : {"", "_x", "_y", "_z"})
          if (const std::string column = probe.name + component; column_of(step["probes"], column))
            add(measured[std::size_t(probe.kind)], column, number(step["probes"], column.c_str()));
    add(dt, "", 1e3 * number(step, "dt"));
    if (step.contains("stages"))
      for (const auto& [stage, seconds] : step["stages"].items())
        if (seconds.is_number()) add(stages, stage, 1e3 * seconds.get<double>());
  });
  std::vector<Chart> charts = std::move(measured);
  charts.insert(charts.end(), {energy, volume, smoke, heat, speed, gap, iterations, dt, stages});
  std::erase_if(charts, [](const Chart& c) { return c.series.empty(); });
  return charts;
}

}  // namespace coracle
