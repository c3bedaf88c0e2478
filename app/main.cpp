// The command line.
#include "app/commands.h"
#include "app/exit_codes.h"
#include "app/print.h"
#include "coracle/out/run.h"
#include "coracle/scene/nearest.h"

#include <fmt/format.h>
#include <malloc.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>

#ifndef CORACLE_VERSION
#define CORACLE_VERSION "0.1.0"
#endif

namespace coracle {
namespace {

// Each text is path=value.
std::vector<Override> parse_overrides(const std::vector<std::string>& set, const char* example) {
  std::vector<Override> all;
  std::vector<Problem> problems;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      problems.push_back({{"--set " + text, 0, 0}, fmt::format("must be path=value, such as {}", example)});
    else
      all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  if (!problems.empty()) throw SceneError(problems);
  return all;
}

// CLI::NonNegativeNumber lets nan pass, and names 1.8e308 in full.
CLI::Validator at_least_zero() {
  return {[](std::string& text) {
            double value = 0;
            const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= 0;
            return good ? "" : text + " is not a number of at least 0";
          },
          "", "at_least_zero"};
}

// --set, --frames, --form, --backend and --resolution in one list; and --preset, which is applied before them.
struct Changes {
  std::string preset;
  std::vector<std::string> set;
  std::string frames, resolution, form, backend;

  void add_to(CLI::App& command,
              const char* set_text = "Change an option: path=value, such as liquid.density=900 (repeatable)",
              const char* set_type = "PATH=VALUE") {
    command.add_option("--set", set, set_text)->type_name(set_type)->allow_extra_args(false);
    command.add_option("--preset", preset, "One of the scene's presets, such as quick; applied before --set")
        ->type_name("NAME");
    command.add_option("--frames", frames, "Same as --set time.frames=N")->type_name("N");
    command.add_option("--form", form, "Same as --set solver.form=FORM: schur, spd or indefinite")->type_name("FORM");
    command.add_option("--backend", backend, "Same as --set solver.backend=NAME: cpu or cuda, a GPU")
        ->type_name("NAME");
    command.add_option("--resolution", resolution, "Same as --set domain.resolution=N")->type_name("N");
  }

  std::vector<Override> overrides() const {
    std::vector<Override> all;
    if (!frames.empty()) all.push_back({"time.frames", frames});
    if (!resolution.empty()) all.push_back({"domain.resolution", resolution});
    if (!backend.empty()) all.push_back({"solver.backend", backend});
    if (!form.empty()) all.push_back({"solver.form", form});
    const std::vector<Override> typed = parse_overrides(set, "liquid.density=900");
    all.insert(all.end(), typed.begin(), typed.end());
    return all;
  }
};

// The run is named after the scene's folder if the file is called scene.toml, else after the file.
std::string default_folder(const std::string& scene) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path path = fs::is_directory(scene, ignored) ? fs::path(scene) / "scene.toml" : fs::path(scene);
  fs::path name = path.stem();
  if (path.filename() == "scene.toml") name = fs::absolute(path, ignored).lexically_normal().parent_path().filename();
  return (fs::path("runs") / (name.empty() ? "scene" : name)).string();
}

// For a command whose cases were not built into this program.
[[maybe_unused]] int not_built(const char* cases, const char* command, const char* option) {
  print(stderr, "this program was built without the {}; {} builds and runs them, or configure with -D{}=ON\n", cases,
        command, option);
  return exit_code::to_mend;
}

// `coracle help run` is `coracle run --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.emplace_back("--help");
  return words;
}

// A first word that is no command, with the nearest one.
void check_command_name(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return;
  std::vector<std::string> names{"help"};
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), words[0]) != names.end()) return;
  std::string hint = did_you_mean(words[0], names);
  if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
  throw SceneError({{{"coracle " + words[0], 0, 0}, "there is no such command" + hint}});
}

int dispatch(int argc, char** argv) {
  CLI::App app(
      "Coracle simulates liquid, gas with smoke, deformable bodies and moving solids, and how they push each other.",
      "coracle");
  app.set_version_flag("--version", std::string("coracle ") + CORACLE_VERSION);
  app.require_subcommand(1);
  app.footer(exit_code::text);

  CLI::App* list = app.add_subcommand("list", "List the shipped scenes");

  RunArguments run_arguments;
  Changes run_changes;
  CLI::App* run = app.add_subcommand("run", "Simulate a scene");
  run->add_option("scene", run_arguments.scene, "A shipped scene's name or a .toml file")
      ->required()
      ->type_name("SCENE");
  run->add_option("-o,--out", run_arguments.out, "Where to write (default: runs/<scene>)")->type_name("DIR");
  run->add_option("--threads", run_arguments.threads, "Threads (default: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  run->add_option("--checkpoint-minutes", run_arguments.checkpoint_minutes,
                  "Also write a checkpoint whenever N minutes have passed, within a frame too")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  run_changes.add_to(*run);
  CLI::Option* resume = run->add_flag("--resume", run_arguments.resume, "Continue from the last checkpoint");
  run->add_flag("--overwrite", run_arguments.overwrite, "Replace an earlier run")->excludes(resume);
  run->add_flag("--control", run_arguments.control, "Let coracle view --control pause and stop it; see docs/viewer.md");
  run->add_flag("--force-memory", run_arguments.force_memory, "Run even if the memory seems too small");
  run->add_flag("--strict", run_arguments.strict, "Exit with code 1 if an expectation of expect.toml fails");
  run->add_flag("-q,--quiet", run_arguments.quiet, "Print only errors");

  SweepArguments sweep_arguments;
  Changes sweep_changes;
  CLI::App* sweep =
      app.add_subcommand("sweep", "Simulate a scene with every combination of some values; see docs/sweeps.md");
  sweep->add_option("scene", sweep_arguments.scene, "A shipped scene's name or a .toml file")
      ->required()
      ->type_name("SCENE");
  sweep->add_option("-o,--out", sweep_arguments.out, "Where to write (default: runs/<scene>_sweep)")->type_name("DIR");
  sweep->add_option("--jobs", sweep_arguments.jobs, "Runs at once (default: 1)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  sweep
      ->add_option("--threads", sweep_arguments.threads,
                   "Threads of each run (default: the cores, shared by the jobs); results do not depend on it")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  sweep
      ->add_option(
          "--figure", sweep_arguments.figures,
          "A column of the table: take and path as in expect.toml, such as \"max liquid.max_speed\" (repeatable; "
          "default: what the scene's expectations measure)")
      ->type_name("FIGURE")
      ->allow_extra_args(false);
  sweep_changes.add_to(*sweep,
                       "Values of an option: path=value, path=value,value,... or path=LOW:HIGH:COUNT (repeatable)",
                       "PATH=VALUES");
  sweep->add_flag("-q,--quiet", sweep_arguments.quiet, "Print only errors");

  CompareArguments compare_arguments;
  CLI::App* compare = app.add_subcommand("compare", "Print how two runs differ; see docs/sweeps.md");
  compare->add_option("run_a", compare_arguments.a, "A run's folder")->required()->type_name("RUN_A");
  compare->add_option("run_b", compare_arguments.b, "Another run's folder")->required()->type_name("RUN_B");
  compare
      ->add_option(
          "--figure", compare_arguments.figures,
          "A figure to compare, such as \"max liquid.max_speed\" (repeatable; default: what the expectations of "
          "the scenes measure)")
      ->type_name("FIGURE")
      ->allow_extra_args(false);
  compare
      ->add_option(
          "--frame", compare_arguments.frame,
          "Frames of RUN_A whose surfaces are compared (default: the last one that both have; with --strict 0 all)")
      ->type_name("N|A:B");
  compare
      ->add_option("--strict", compare_arguments.strict,
                   "Exit with code 1 if anything differs by more than TOL, relatively; 0: if any bit differs")
      ->check(at_least_zero())
      ->type_name("TOL");
  compare->add_option("-o,--out", compare_arguments.out, "Draw both over each other: a .svg or .png file")
      ->type_name("FILE");
  compare->add_flag("--json", compare_arguments.json, "Print JSON");

  std::string check_scene;
  Changes check_changes;
  CLI::App* check =
      app.add_subcommand("check", "Validate a scene, print its contents, and forecast the memory and time of a run");
  check->add_option("scene", check_scene, "A shipped scene's name or a .toml file")->required()->type_name("SCENE");
  check_changes.add_to(*check);

  std::string info_dir;
  bool info_json = false;
  CLI::App* info = app.add_subcommand("info", "Print a run's contents, figures and slowest stages");
  info->add_option("dir", info_dir, "A run's folder")->required()->type_name("DIR");
  info->add_flag("--json", info_json, "Print JSON");

  std::string plot_dir, plot_out;
  CLI::App* plot = app.add_subcommand("plot", "Plot a run's probes, energies, volume, solver and stage times");
  plot->add_option("dir", plot_dir, "A run's folder")->required()->type_name("DIR");
  plot->add_option("-o,--out", plot_out, "A .svg, .png or .csv file (default: all three, DIR/plots.*)")
      ->type_name("FILE");

  ExportArguments export_arguments;
  CLI::App* to_others = app.add_subcommand("export", "Write a run's frames for other programs; see docs/export.md");
  to_others->add_option("dir", export_arguments.dir, "A run's folder")->required()->type_name("DIR");
  to_others->add_option("--to", export_arguments.to, "usd, ply, obj, vdb or vtu")->required()->type_name("FORMAT");
  to_others->add_option("-o,--out", export_arguments.out, "Where to write (default: DIR/export/FORMAT)")
      ->type_name("OUT");
  to_others->add_option("--frame", export_arguments.frames, "First and last frame (default: all)")->type_name("A:B");
  to_others->add_flag("--no-particles", export_arguments.no_particles, "Leave the particles out");

  RenderArguments render_arguments;
  std::vector<std::string> render_set;
  CLI::App* render = app.add_subcommand("render", "Render pictures or a film of a run");
  render->add_option("dir", render_arguments.dir, "A run's folder")->required()->type_name("DIR");
  render
      ->add_option("-o,--out", render_arguments.out,
                   "A .png or .mp4 file, or a folder/ of pictures (default: render.png or render.mp4 in DIR)")
      ->type_name("FILE");
  render
      ->add_option("--frame", render_arguments.frame,
                   "One frame, N, or several, A:B (default: all; for a .png: the last)")
      ->type_name("N|A:B");
  render->add_option("--preset", render_arguments.preset, "draft (640x360, the default) or final (1280x720)")
      ->type_name("NAME");
  render->add_option("--size", render_arguments.size, "Pixels, such as 1920x1080")->type_name("WxH");
  render->add_option("--samples", render_arguments.samples, "Paths per pixel: more paths, less noise")
      ->check(CLI::Range(1, 65536))
      ->type_name("N");
  render->add_option("--color", render_arguments.color, "Colour by speed, pressure, von_mises or film")
      ->type_name("FIELD");
  render->add_option("--range", render_arguments.range, "Range of the colours (default: the values in the frames)")
      ->type_name("LO:HI");
  render->add_option("--show", render_arguments.show, "Show the solver's data: particles, cut_cells or tets")
      ->type_name("WHAT");
  render->add_option("--set", render_set, "Change camera or look: path=value, such as camera.fov=40 (repeatable)")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  render
      ->add_option("--threads", render_arguments.threads, "Threads (default: all cores); pictures do not depend on it")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  render->add_flag("-q,--quiet", render_arguments.quiet, "Print only errors");

  std::string view_dir;
  int view_port = 0;
  bool view_open = false, view_control = false;
  CLI::App* view = app.add_subcommand("view", "Show a run in the browser, also while it is running");
  view->add_option("dir", view_dir, "A run's folder")->required()->type_name("DIR");
  view->add_option("--port", view_port, "Port on 127.0.0.1 (default: 8642 or the next free one)")
      ->check(CLI::Range(1, 65535))
      ->type_name("N");
  view->add_flag("--open", view_open, "Also open the browser");
  view->add_flag("--control", view_control, "Print the token that pauses and stops a run started with --control");

  CLI::App* schema = app.add_subcommand("schema", "Print the JSON schema of scene files");
  CLI::App* reference = app.add_subcommand("reference", "Print every option of scene files, as Markdown");

  ValidateArguments validate_arguments;
  CLI::App* validate = app.add_subcommand("validate", "Compare with theory and experiment");
  validate->add_option("names", validate_arguments.names, "Cases (default: all)")->type_name("NAME");
  validate->add_flag("--quick", validate_arguments.quick, "Only the cases that take seconds");
  validate->add_flag("--list", validate_arguments.list, "List the cases, run none");
  validate->add_flag("--json", validate_arguments.json, "Print JSON, one object per line");
  validate->add_option("--backend", validate_arguments.backend, "Where liquid and gas run: cpu or cuda, a GPU")
      ->type_name("NAME")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  validate
      ->add_option("--report", validate_arguments.report_file,
                   "Write a report; one that exists keeps the cases that do not run now")
      ->type_name("FILE");

  std::vector<std::string> bench_names;
  bool bench_json = false;
  CLI::App* bench = app.add_subcommand("bench", "Run timed cases");
  bench->add_option("names", bench_names, "Cases (default: all)")->type_name("NAME");
  bench->add_flag("--json", bench_json, "Print JSON, one object per line");

  std::vector<std::string> words = words_of(argc, argv);
  if (words.empty()) {
    put(stderr, app.help());
    return exit_code::to_mend;
  }
  check_command_name(app, words);
  std::reverse(words.begin(), words.end());  // as CLI11 asks
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, errors;
    const int code = app.exit(error, out, errors);
    put(stdout, out.str());
    put(stderr, errors.str());
    return code == 0 ? exit_code::done : exit_code::to_mend;
  }

  if (*list) return list_command();
  // As typed, for commands in messages.
  const std::string typed = argv[0];
  const std::string program = typed.find('/') != std::string::npos ? typed : "coracle";
  if (*sweep) {
    sweep_arguments.overrides = sweep_changes.overrides();
    sweep_arguments.preset = sweep_changes.preset;
    sweep_arguments.program = program;
    if (sweep_arguments.out.empty()) sweep_arguments.out = default_folder(sweep_arguments.scene) + "_sweep";
    return sweep_command(sweep_arguments);
  }
  if (*compare) return compare_command(compare_arguments);
  if (*check) return check_command(check_scene, check_changes.overrides(), check_changes.preset);
  if (*info) return info_command(info_dir, info_json);
  if (*plot) return plot_command(plot_dir, plot_out);
  if (*to_others) return export_command(export_arguments);
  if (*render) {
    render_arguments.overrides = parse_overrides(render_set, "camera.fov=40");
    return render_command(render_arguments);
  }
  if (*view) return view_command(view_dir, view_port, view_open, view_control);
  if (*schema) return schema_command();
  if (*reference) return reference_command();
#ifdef CORACLE_WITH_VALIDATION
  if (*validate) return validate_command(validate_arguments);
#else
  if (*validate) return not_built("validation cases", "./do validate", "CORACLE_VALIDATION");
#endif
#ifdef CORACLE_WITH_BENCH
  if (*bench) return bench_command(bench_names, bench_json);
#else
  if (*bench) return not_built("timed cases", "./do bench", "CORACLE_BENCH");
#endif
  run_arguments.overrides = run_changes.overrides();
  run_arguments.preset = run_changes.preset;
  run_arguments.program = program;
  if (run_arguments.out.empty()) run_arguments.out = default_folder(run_arguments.scene);
  return run_command(run_arguments);
}

// Without an allocation.
void say_out_of_memory() {
  std::fputs(
      "coracle: out of memory; lower domain.resolution, make the edges of bodies larger, or use a machine with more "
      "memory; coracle check says how much a scene needs\n",
      stderr);
}

// An error that nothing could catch, such as one in a destructor.
[[noreturn]] void end_program() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
    std::_Exit(exit_code::out_of_memory);
  } catch (const std::exception& error) {
    print(stderr, "coracle: {}\n", error.what());
  } catch (...) {
    std::fputs("coracle: an unknown error\n", stderr);
  }
  std::abort();
}

}  // namespace
}  // namespace coracle

int main(int argc, char** argv) {
  std::set_terminate(coracle::end_program);
  // Every step allocates and frees arrays of the grid's size: keep their pages, instead of new zeroed ones each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  try {
    return coracle::dispatch(argc, argv);
  } catch (const coracle::SceneError& error) {
    for (const coracle::Problem& problem : error.problems) coracle::print(stderr, "{}\n", problem.text());
    coracle::print(stderr, "{} problem{}\n", error.problems.size(), error.problems.size() == 1 ? "" : "s");
    return coracle::exit_code::to_mend;
  } catch (const coracle::StepError& error) {
    coracle::print(stderr, "coracle: {}\n", error.what());
    return coracle::exit_code::failed;
  } catch (const coracle::MemoryError& error) {
    coracle::print(stderr, "coracle: {}\n", error.what());
    return coracle::exit_code::out_of_memory;
  } catch (const coracle::RunError& error) {
    coracle::print(stderr, "coracle: {}\n", error.what());
    return coracle::exit_code::to_mend;
  } catch (const std::filesystem::filesystem_error& error) {
    coracle::print(stderr, "coracle: {}\n", error.what());
    return coracle::exit_code::to_mend;
  } catch (const std::bad_alloc&) {
    coracle::say_out_of_memory();
    return coracle::exit_code::out_of_memory;
  } catch (const std::exception& error) {
    coracle::print(stderr, "coracle: {}\n", error.what());
    return coracle::exit_code::failed;
  }
}
