// A run's figures over time as a picture.
#include "app/commands.h"
#include "app/print.h"
#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/run_directory.h"
#include "coracle/show/run_charts.h"

#include <fmt/format.h>

namespace coracle {

int plot_command(const std::string& dir, std::string out) {
  if (out.empty()) out = dir + "/plots.svg";
  if (!out.ends_with(".svg"))
    throw SceneError({{{"-o " + out, 0, 0}, "plots are written as SVG; give a name that ends in .svg"}});
  require_run(dir);
  const std::vector<Chart> charts = run_charts(dir);
  if (charts.empty()) throw RunError(fmt::format("{} has no finished step yet", dir));
  write_atomically(out, charts_svg(charts, 2));
  print("{}\n", out);
  return 0;
}

}  // namespace coracle
