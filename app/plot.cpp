// A run's figures over time as pictures and as a table.
#include "app/commands.h"
#include "app/print.h"
#include "coracle/error.h"
#include "coracle/out/run_directory.h"
#include "coracle/show/run_charts.h"

#include <fmt/format.h>

#include <filesystem>

namespace coracle {
namespace {

void write(const std::string& out, const std::vector<Chart>& charts) {
  write_charts(out, charts);
  print("{}\n", out);
}

}  // namespace

int plot_command(const std::string& dir, const std::string& out) {
  const std::string ending = std::filesystem::path(out).extension().string();
  if (!out.empty() && ending != ".svg" && ending != ".png" && ending != ".csv")
    throw SceneError({{{"-o " + out, 0, 0}, "give a name that ends in .svg, .png or .csv"}});
  require_run(dir);
  const std::vector<Chart> charts = run_charts(dir, load_scene(scene_file(dir)).probes);
  if (charts.empty()) throw RunError(fmt::format("{} has no finished step yet", dir));
  if (!out.empty()) {
    write(out, charts);
    return 0;
  }
  for (const char* name : {"/plots.svg", "/plots.png", "/plots.csv"}) write(dir + name, charts);
  return 0;
}

}  // namespace coracle
