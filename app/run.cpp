#include "coracle/out/run.h"
#include "app/commands.h"
#include "app/exit_codes.h"
#include "app/print.h"
#include "app/run_progress.h"
#include "app/stop_on_signals.h"
#include "coracle/base/amounts.h"
#include "coracle/base/parallel.h"
#include "coracle/out/frames.h"
#include "coracle/out/judge.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/run_log.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/scenes.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

// Says which file to open first.
std::string how_to_open(const Scene& scene, const std::string& dir) {
  for (const Layer& layer : written_layers(scene))
    if (layer.paraview && scene.output.paraview)
      return fmt::format("open {}/frames/{}.pvd in ParaView", dir, layer.file);
  if (scene.output.solids && scene.output.paraview && !scene.bodies.empty())
    return fmt::format("open {}/frames/body_{}.pvd in ParaView", dir, scene.bodies[0].name);
  if (const Layer* volume = written_layer(scene, LayerKind::volume))
    return fmt::format("{}/frames/{}.*.{} open in Blender and Houdini", dir, volume->file, volume->extension);
  if (scene.output.surface || scene.output.solids) return fmt::format("coracle view {0} shows {0}", dir);
  return "the scene writes no frames; statistics are in stats.jsonl";
}

std::vector<Judgement> failing(std::vector<Judgement> judgements) {
  std::erase_if(judgements, [](const Judgement& j) { return j.verdict != Verdict::fail; });
  return judgements;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const std::string file = find_scene(arguments.scene);
  const Scene scene = load_scene(file, arguments.overrides, arguments.preset);
  const ThreadLimit limit(arguments.threads);
  const StopOnSignals signals;
  RunProgressLine progress(scene, arguments.quiet);

  RunOptions options;
  options.dir = arguments.out;
  options.resume = arguments.resume;
  options.overwrite = arguments.overwrite;
  options.stop = &StopOnSignals::requests();
  options.checkpoint_minutes = arguments.checkpoint_minutes;
  options.control = arguments.control;
  options.force_memory = arguments.force_memory;
  options.program = arguments.program;
  options.expectations = load_expectations(file, scene);
  options.warn = [&](const std::string& text) { progress.print_above("coracle: warning: " + text); };
  if (!arguments.quiet) options.say = [&](const std::string& text) { progress.print_above(text); };
  options.on_phase = [&](RunPhase phase, const World& world) { progress.enter(phase, world.clock); };

  const RunEnd end = run(scene, options, [&](const StepReport& report, const World&) { progress.step(report); });
  progress.end();

  if (end == RunEnd::stopped) {
    print(stderr, "stopped; to continue: {}\n", resume_command(options));
    return exit_code::interrupted;
  }
  const std::vector<Judgement> judgements = judge(options.expectations, arguments.out);
  const int code = arguments.strict && any_fails(judgements) ? exit_code::failed : exit_code::done;
  std::string words;
  if (!judgements.empty()) words += "expectations:\n" + judgement_table(judgements);
  if (end == RunEnd::done)
    words += fmt::format("{} frames, {} steps in {}: {}\n", scene.time.frames, progress.steps(),
                         duration_text(progress.elapsed()), arguments.out);
  if (end == RunEnd::done) RunLog(log_file(arguments.out)).line(words);
  if (arguments.quiet) {
    if (any_fails(judgements)) print(stderr, "{}", judgement_table(failing(judgements)));
    return code;
  }
  print("{}{}; for more: {} info {}\n", words, how_to_open(scene, arguments.out), arguments.program, arguments.out);
  return code;
}

}  // namespace coracle
