// Prints how two runs differ.
#include "app/commands.h"
#include "app/exit_codes.h"
#include "app/frames_option.h"
#include "app/print.h"
#include "coracle/out/figures.h"
#include "coracle/out/judge.h"
#include "coracle/out/replay.h"
#include "coracle/show/comparison.h"
#include "coracle/show/run_charts.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr std::size_t most_listed = 8;  // differences above the tolerance

// Refuses figures that no step of either run has.
std::vector<Expectation> read_figures(const std::vector<std::string>& texts, const Replay& a, const Replay& b) {
  std::vector<Expectation> figures;
  std::vector<Problem> problems;
  for (const std::string& text : texts) {
    add_figures(figures, {parse_figure(text)});
    const std::string& of = figures.back().of;
    if (const std::string wrong = wrong_path(a.scene, of); !wrong.empty() && !wrong_path(b.scene, of).empty())
      problems.push_back({{"--figure '" + text + "'", 0, 0}, wrong});
  }
  if (!problems.empty()) throw SceneError(std::move(problems));
  return figures;
}

// A figure that was asked for and that no step has must not pass for one that is equal.
void require_values(const RunsDifference& runs) {
  std::vector<Problem> problems;
  for (const FigureDifference& f : runs.figures)
    if (f.is_missing())
      problems.push_back({{"--figure '" + f.figure + "'", 0, 0},
                          fmt::format("there is no step in that time with this number: both runs have reached {:.4g} s",
                                      std::min(runs.a.time, runs.b.time))});
  if (!problems.empty()) throw SceneError(std::move(problems));
}

std::vector<FramePair> choose_frames(const CompareArguments& arguments, const Replay& a, const Replay& b) {
  const std::vector<FramePair> common = common_frames(a, b);
  if (common.empty()) {
    if (!arguments.frame.empty())
      throw SceneError({{{"--frame " + arguments.frame, 0, 0}, "the runs have no frame in common"}});
    return {};
  }
  if (arguments.frame.empty()) return arguments.strict == 0.0 ? common : std::vector{common.back()};
  std::vector<int> there;
  there.reserve(common.size());
  for (const FramePair& pair : common) there.push_back(pair.a);
  const std::vector<int> asked = read_frames(arguments.frame, there);
  std::vector<FramePair> chosen;
  for (const FramePair& pair : common)
    if (std::binary_search(asked.begin(), asked.end(), pair.a)) chosen.push_back(pair);
  return chosen;
}

void draw(const std::string& out, const Replay& a, const Replay& b) {
  const std::vector<Chart> charts = overlaid(run_charts(a.dir, a.scene.probes), run_charts(b.dir, b.scene.probes));
  if (charts.empty()) throw RunError("neither run has a finished step yet: there is nothing to draw");
  write_charts(out, charts);
}

}  // namespace

int compare_command(const CompareArguments& arguments) {
  const std::string& out = arguments.out;
  if (!out.empty() && !out.ends_with(".svg") && !out.ends_with(".png"))
    throw SceneError({{{"-o " + out, 0, 0}, "give a name that ends in .svg or .png"}});
  const Replay a = open_replay(arguments.a), b = open_replay(arguments.b);
  const Comparison comparison =
      compare_runs(a, b, read_figures(arguments.figures, a, b), choose_frames(arguments, a, b));
  if (!arguments.figures.empty()) require_values(comparison.runs);
  put(stdout, arguments.json ? comparison_json(comparison) : comparison_text(comparison));
  if (!out.empty()) {
    draw(out, a, b);
    if (!arguments.json) print("{}\n", out);
  }
  if (!arguments.strict) return exit_code::done;
  const std::vector<std::string> above = differences_above(comparison, *arguments.strict);
  for (std::size_t i = 0; i < std::min(above.size(), most_listed); ++i) print(stderr, "{}\n", above[i]);
  if (!above.empty())
    print(stderr, "{} difference{} above {}\n", above.size(), above.size() == 1 ? "" : "s", *arguments.strict);
  return above.empty() ? exit_code::done : exit_code::failed;
}

}  // namespace coracle
