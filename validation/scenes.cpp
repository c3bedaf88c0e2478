// The previews of the shipped scenes, against their expect.toml.
#include "coracle/scene/scenes.h"
#include "coracle/base/files.h"
#include "coracle/out/judge.h"
#include "coracle/out/run.h"
#include "validation/case.h"
#include "validation/setup.h"
#include "validation/temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle::validation {
namespace {

Result as_result(const Judgement& j) {
  const Expectation& e = j.expectation;
  const double measured = j.verdict == Verdict::not_reached ? std::nan("") : j.measured;
  if (e.at_least && e.at_most)
    return within(e.claim, measured, 0.5 * (*e.at_least + *e.at_most), 0.5 * (*e.at_most - *e.at_least), "", e.reason);
  return e.at_least ? at_least(e.claim, measured, *e.at_least, "", e.reason)
                    : at_most(e.claim, measured, e.at_most.value_or(0), "", e.reason);
}

Outcome run_preview(const SceneInfo& info) {
  Scene scene = load_scene(info.path, {}, "preview");
  scene.solver.backend = chosen_backend;
  const TemporaryFolder folder;
  RunOptions options;
  options.dir = folder.path + "/run";
  options.expectations = load_expectations(info.path, scene);
  // No frames: expectations use only stats.jsonl and probes.csv.
  scene.output.surface = scene.output.volume = scene.output.solids = scene.output.particles = false;
  scene.output.checkpoint_every = std::max(1, scene.time.frames);
  Outcome out;
  try {
    run(scene, options, {});
  } catch (const RunError&) {
    out.results.push_back(at_least("the run completes", 0, 1, "", "a run that stops shows nothing"));
  }
  for (const Judgement& j : judge(options.expectations, options.dir, scene.time.frames / scene.time.fps))
    out.results.push_back(as_result(j));
  return out;
}

}  // namespace

std::vector<Case> scene_cases() {
  std::vector<Case> list;
  for (const SceneInfo& info : shipped_scenes())
    if (!info.presets.empty())
      list.push_back({"scene_" + info.name, info.title, false, [info] { return run_preview(info); }});
  return list;
}

}  // namespace coracle::validation
