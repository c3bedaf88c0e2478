#include "coracle/show/comparison.h"

#include "coracle/scene/sizes.h"
#include "coracle/show/run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double time_slack = 1e-9;  // relative: times are sums of steps

}  // namespace

Comparison compare_runs(const Replay& a, const Replay& b, const std::vector<Expectation>& figures,
                        const std::vector<FramePair>& frames) {
  const DomainOptions& domain = a.scene.domain;
  Comparison found;
  found.options = option_differences(a.dir, b.dir);
  found.runs = compare_steps(a, b, figures);
  found.histories = compare_histories(run_charts(a.dir, a.scene.probes), run_charts(b.dir, b.scene.probes));
  found.frames = frames;
  found.files = compare_surfaces(a, b, frames);
  found.fps = a.scene.time.fps;
  found.cell = cell_size(domain);
  found.side = (domain.max - domain.min).maxCoeff();
  return found;
}

bool same_results(const Comparison& c) {
  return c.runs.steps.first == 0 && c.runs.a.steps == c.runs.b.steps &&
         std::all_of(c.files.begin(), c.files.end(), [](const FileDifference& f) { return f.same_bits; });
}

std::vector<std::string> not_finite_in_both(const Comparison& c) {
  std::vector<std::string> all;
  for (const FigureDifference& f : c.runs.figures)
    if (!f.is_missing() && std::isnan(f.a) && std::isnan(f.b))
      all.push_back(fmt::format("{} is finite in neither run", f.figure));
  for (const auto& [name, time] : c.histories.not_finite)
    all.push_back(fmt::format("{} is finite in neither run at {:.4g} s", name, time));
  return all;
}

std::vector<std::string> differences_above(const Comparison& c, double tolerance) {
  std::vector<std::string> all = not_finite_in_both(c);
  const auto above = [&](double relative) { return !(std::abs(relative) <= tolerance); };
  const auto share = [](double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : std::string("all"); };
  const RunsDifference& runs = c.runs;

  const double latest = std::max(runs.a.time, runs.b.time);
  if (std::abs(runs.a.time - runs.b.time) > time_slack * latest)
    all.push_back(fmt::format("the runs are at {:.6g} s and {:.6g} s", runs.a.time, runs.b.time));
  for (const FigureDifference& f : runs.figures)
    if (above(f.relative()) && !(std::isnan(f.a) && std::isnan(f.b)))
      all.push_back(fmt::format("{} differs by {} of its value", f.figure, share(f.relative())));
  for (const HistoryDifference& h : c.histories.differ)
    if (above(h.relative()))
      all.push_back(fmt::format("{} differs by {} of its range, at {:.4g} s", h.name, share(h.relative()), h.at));
  for (const std::string& name : c.histories.only_a) all.push_back(fmt::format("only A has {}", name));
  for (const std::string& name : c.histories.only_b) all.push_back(fmt::format("only B has {}", name));
  for (const FileDifference& f : c.files) {
    const std::string where = fmt::format("{} in frame {}", f.file, f.frame.a);
    if (f.only != OnlyIn::neither)
      all.push_back(fmt::format("only {} has {}", f.only == OnlyIn::a ? "A" : "B", where));
    else if (f.distance && above(f.distance->largest / c.side))
      all.push_back(fmt::format("{} differs by {:.3g} of the domain's side", where, f.distance->largest / c.side));
    else if (tolerance == 0 && !f.same_bits)
      all.push_back(fmt::format("{} has other bits", where));
  }
  if (tolerance > 0) return all;
  if (runs.steps.first > 0)
    all.push_back(fmt::format("step {} differs in {}", runs.steps.first, runs.steps.where.front().path));
  if (runs.a.steps != runs.b.steps) all.push_back(fmt::format("{} steps against {}", runs.a.steps, runs.b.steps));
  return all;
}

}  // namespace coracle
