#include "app/commands.h"
#include "bench/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coracle {

int bench_command(const std::vector<std::string>& names, bool json) {
  for (const std::string& name : names)
    if (std::none_of(bench::cases().begin(), bench::cases().end(), [&](const auto& c) { return c.name == name; }))
      throw SceneError({{{"bench " + name, 0, 0}, "no such case; there are: projection, step, bodies"}});
  for (const bench::BenchCase& c : bench::cases()) {
    if (!names.empty() && std::find(names.begin(), names.end(), c.name) == names.end()) continue;
    if (!json) fmt::print("{}: {}\n", c.name, c.what);
    for (const bench::Timing& t : c.run()) {
      if (json) {
        nlohmann::ordered_json line{{"name", t.name}, {"resolution", t.resolution}, {"seconds", t.seconds}};
        for (const auto& [key, value] : t.figures) line[key] = value;
        fmt::print("{}\n", line.dump());
        continue;
      }
      fmt::print("  {:<34} {:>4}³ {:>9.4f} s", t.name, t.resolution, t.seconds);
      for (const auto& [key, value] : t.figures) fmt::print("  {} {:.4g}", key, value);
      fmt::print("\n");
    }
  }
  return 0;
}

}  // namespace coracle
