// The command line. Exit codes: 0 done, 1 the run failed, 2 bad input.
#include "app/commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#ifndef CORACLE_VERSION
#define CORACLE_VERSION "0.1.0"
#endif

namespace coracle {
namespace {

// What --set, --frames, --form and --resolution give, in one list; and --preset, which comes before them.
struct Changes {
  std::string preset;
  std::vector<std::string> set;
  std::string frames, resolution, form;

  void add_to(CLI::App& command) {
    command.add_option("--set", set, "Change an option: path=value, such as liquid.density=900 (repeatable)")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command.add_option("--preset", preset, "One of the scene's presets, such as quick; --set comes after it")
        ->type_name("NAME");
    command.add_option("--frames", frames, "As --set time.frames=N")->type_name("N");
    command.add_option("--form", form, "As --set solver.form=FORM: schur, spd or indefinite")->type_name("FORM");
    command.add_option("--resolution", resolution, "As --set domain.resolution=N")->type_name("N");
  }

  std::vector<Override> overrides() const {
    std::vector<Override> all;
    std::vector<Problem> problems;
    if (!frames.empty()) all.push_back({"time.frames", frames});
    if (!resolution.empty()) all.push_back({"domain.resolution", resolution});
    if (!form.empty()) all.push_back({"solver.form", form});
    for (const std::string& text : set) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0)
        problems.push_back({{"--set " + text, 0, 0}, "must be path=value, such as liquid.density=900"});
      else
        all.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    if (!problems.empty()) throw SceneError(problems);
    return all;
  }
};

// The name of a scene's run: of its folder where the file is called scene.toml, else of the file.
std::string default_folder(const std::string& scene) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(scene).lexically_normal();
  fs::path name = path.stem();
  if (path.filename() == "scene.toml") {
    std::error_code ignored;
    name = fs::absolute(path, ignored).parent_path().filename();
  }
  return (fs::path("runs") / (name.empty() ? "scene" : name)).string();
}

int dispatch(int argc, char** argv) {
  CLI::App app("Coracle simulates free-surface liquids among solids.", "coracle");
  app.set_version_flag("--version", std::string("coracle ") + CORACLE_VERSION);
  app.require_subcommand(1);

  CLI::App* list = app.add_subcommand("list", "Scenes that ship, a line each");

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
  run_changes.add_to(*run);
  CLI::Option* resume = run->add_flag("--resume", run_arguments.resume, "Go on from the last checkpoint");
  run->add_flag("--overwrite", run_arguments.overwrite, "Replace an earlier run")->excludes(resume);
  run->add_flag("--strict", run_arguments.strict, "Exit with 1 where an expectation of expect.toml fails");
  run->add_flag("-q,--quiet", run_arguments.quiet, "Print only errors");

  std::string check_scene;
  Changes check_changes;
  CLI::App* check = app.add_subcommand("check", "Validate a scene and say what it holds; simulate nothing");
  check->add_option("scene", check_scene, "A shipped scene's name or a .toml file")->required()->type_name("SCENE");
  check_changes.add_to(*check);

  std::string info_dir;
  bool info_json = false;
  CLI::App* info = app.add_subcommand("info", "What a run holds, its figures, its slowest stages");
  info->add_option("dir", info_dir, "A run's folder")->required()->type_name("DIR");
  info->add_flag("--json", info_json, "As JSON");

  std::string view_dir;
  int view_port = 0;
  bool view_open = false;
  CLI::App* view = app.add_subcommand("view", "Show a run in the browser, also while it goes on");
  view->add_option("dir", view_dir, "A run's folder")->required()->type_name("DIR");
  view->add_option("--port", view_port, "Of 127.0.0.1 (default: 8642 or the next that is free)")
      ->check(CLI::Range(1, 65535))
      ->type_name("N");
  view->add_flag("--open", view_open, "Open the browser too");

  CLI::App* schema = app.add_subcommand("schema", "JSON schema of scene files");

  ValidateArguments validate_arguments;
  CLI::App* validate = app.add_subcommand("validate", "Compare with theory and experiment");
  validate->add_option("names", validate_arguments.names, "Cases (default: all)")->type_name("NAME");
  validate->add_flag("--quick", validate_arguments.quick, "Only the cases that take seconds");
  validate->add_flag("--list", validate_arguments.list, "Name the cases, run none");
  validate->add_flag("--json", validate_arguments.json, "As JSON, one object a line");
  validate->add_option("--report", validate_arguments.report_file, "Write a report")->type_name("FILE");

  std::vector<std::string> bench_names;
  bool bench_json = false;
  CLI::App* bench = app.add_subcommand("bench", "Timed cases");
  bench->add_option("names", bench_names, "Cases (default: all)")->type_name("NAME");
  bench->add_flag("--json", bench_json, "As JSON, one object a line");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  if (*list) return list_command();
  if (*check) return check_command(check_scene, check_changes.overrides(), check_changes.preset);
  if (*info) return info_command(info_dir, info_json);
  if (*view) return view_command(view_dir, view_port, view_open);
  if (*schema) return schema_command();
  if (*validate) return validate_command(validate_arguments);
  if (*bench) return bench_command(bench_names, bench_json);
  run_arguments.overrides = run_changes.overrides();
  run_arguments.preset = run_changes.preset;
  if (run_arguments.out.empty()) run_arguments.out = default_folder(run_arguments.scene);
  return run_command(run_arguments);
}

}  // namespace
}  // namespace coracle

int main(int argc, char** argv) {
  try {
    return coracle::dispatch(argc, argv);
  } catch (const coracle::SceneError& error) {
    for (const coracle::Problem& problem : error.problems) fmt::print(stderr, "{}\n", problem.text());
    fmt::print(stderr, "{} problem{}\n", error.problems.size(), error.problems.size() == 1 ? "" : "s");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle: {}\n", error.what());
    return 1;
  }
}
