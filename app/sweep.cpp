// Runs a scene with every combination of some values, each run in a process of its own.
#include "app/commands.h"
#include "app/exit_codes.h"
#include "app/print.h"
#include "app/progress.h"
#include "app/stop_on_signals.h"
#include "coracle/base/amounts.h"
#include "coracle/base/child_process.h"
#include "coracle/base/files.h"
#include "coracle/out/figures.h"
#include "coracle/out/judge.h"
#include "coracle/out/progress_text.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/sweep_folder.h"
#include "coracle/out/sweep_table.h"
#include "coracle/scene/scenes.h"
#include "coracle/show/picture.h"
#include "coracle/show/sweep_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

namespace coracle {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(20);  // at the processes

// What is still to do.
struct Plan {
  std::vector<Expectation> figures;
  std::vector<SweepRun> runs;  // that are not complete
  std::size_t complete = 0;
};

// The problems of all combinations, each once.
class Problems {
 public:
  void add(const Problem& problem, const std::string& run) {
    for (Found& f : found_)
      if (f.problem.text() == problem.text()) {
        ++f.runs;
        return;
      }
    found_.push_back({problem, run});
  }
  // One that not all runs have, and whose place does not show its value, names a run.
  std::vector<Problem> texts(std::size_t runs) const {
    std::vector<Problem> all;
    for (const Found& f : found_) {
      all.push_back(f.problem);
      if (f.runs < runs && !f.problem.place.file.starts_with("--set ")) all.back().message += " (with " + f.first + ")";
    }
    return all;
  }

 private:
  struct Found {
    Problem problem;
    std::string first;
    std::size_t runs = 1;
  };
  std::vector<Found> found_;
};

// Loads every combination before the first run: all bad values, or figures that no run has, in one error.
Plan make_plan(const SweepArguments& arguments, const Sweep& asked, const std::vector<SweepRun>& runs) {
  Plan plan;
  for (const std::string& text : arguments.figures) add_figures(plan.figures, {parse_figure(text)});
  std::vector<std::string> wrong(plan.figures.size(), "-");  // empty: a run has it
  Problems problems;
  for (const SweepRun& run : runs) try {
      const Scene scene = load_scene(asked.scene, run.overrides, asked.preset);
      if (arguments.figures.empty()) add_figures(plan.figures, load_expectations(asked.scene, scene));
      for (std::size_t f = 0; f < wrong.size(); ++f)
        if (!wrong[f].empty()) wrong[f] = wrong_path(scene, plan.figures[f].of);
      if (!asks_for(asked, run)) continue;
      const std::string folder = arguments.out + "/" + run.name;
      const DirectoryState state = directory_state(folder);
      if (state == DirectoryState::foreign)
        throw RunError(fmt::format("{} holds files that are not a run's; choose another directory with -o", folder));
      const bool known = state == DirectoryState::run && std::filesystem::exists(scene_file(folder));
      if (known) require_same_scene(scene, folder, "delete that folder to run it anew");
      if (known && is_complete(folder, scene.time.frames))
        ++plan.complete;
      else
        plan.runs.push_back(run);
    } catch (const SceneError& error) {
      for (const Problem& problem : error.problems) problems.add(problem, run.name);
    }
  std::vector<Problem> all = problems.texts(runs.size());
  if (all.empty())
    for (std::size_t f = 0; f < wrong.size(); ++f)
      if (!wrong[f].empty()) all.push_back({{"--figure '" + figure_name(plan.figures[f]) + "'", 0, 0}, wrong[f]});
  if (!all.empty()) throw SceneError(std::move(all));
  return plan;
}

std::vector<std::string> words_for(const SweepArguments& arguments, const Sweep& asked, const SweepRun& run,
                                   int threads) {
  const std::string folder = arguments.out + "/" + run.name;
  std::vector<std::string> words{arguments.program,      "run", asked.scene, "-o", folder, "-q", "--threads",
                                 std::to_string(threads)};
  if (!asked.preset.empty()) words.insert(words.end(), {"--preset", asked.preset});
  for (const Override& o : run.overrides) words.insert(words.end(), {"--set", o.path + "=" + o.value});
  if (directory_state(folder) == DirectoryState::run) words.emplace_back("--resume");
  return words;
}

// The first line that says what went wrong.
std::string reason_of(const ChildEnd& end) {
  if (end.signal == SIGKILL) return "it was killed (signal 9), perhaps for want of memory; fewer --jobs need less";
  if (end.signal != 0) return fmt::format("signal {} ended it", end.signal);
  std::istringstream text(end.said);
  const std::string prefix = "coracle: ";
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
    if (!line.empty() && !line.starts_with("warning: ")) return line;
  }
  return fmt::format("exit code {}", end.code);
}

// Runs what is to do, a number at once.
class Runs {
 public:
  Runs(const SweepArguments& arguments, const Sweep& asked, const Plan& plan)
      : arguments_(arguments), asked_(asked), plan_(plan), line_(arguments.quiet) {
    const int cores = std::max(1, int(std::thread::hardware_concurrency()));
    const int at_once = std::clamp(int(plan.runs.size()), 1, arguments.jobs);
    threads_ = arguments.threads > 0 ? arguments.threads : std::max(1, cores / at_once);
  }

  void all() {
    const StopOnSignals signals;
    bool told = false;
    while (next_ < plan_.runs.size() || !running_.empty()) {
      const bool stopping = StopOnSignals::requests() > 0;
      if (stopping && !told)
        for (const Running& r : running_) r.process.stop();
      told = stopping;
      if (stopping && running_.empty()) break;
      while (!stopping && next_ < plan_.runs.size() && running_.size() < std::size_t(arguments_.jobs)) start();
      look(stopping);
      std::this_thread::sleep_for(between_looks);
    }
    line_.end();
    interrupted_ = interrupted_ || next_ < plan_.runs.size();
  }
  bool interrupted() const { return interrupted_; }
  const std::map<std::string, std::string>& failures() const { return failures_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    const SweepRun* run;
    ChildProcess process;
    Clock::time_point start = Clock::now();
  };

  void start() {
    const SweepRun& run = plan_.runs[next_++];
    // This very program, also if its file has been replaced since.
    running_.push_back({&run, ChildProcess("/proc/self/exe", words_for(arguments_, asked_, run, threads_))});
  }

  void look(bool stopping) {
    for (std::size_t i = 0; i < running_.size(); ++i)
      if (const std::optional<ChildEnd> end = running_[i].process.ended()) {
        finish(*running_[i].run, *end, seconds_since(running_[i].start), stopping);
        std::vector<Running> rest;
        for (std::size_t k = 0; k < running_.size(); ++k)
          if (k != i) rest.push_back(std::move(running_[k]));
        running_ = std::move(rest);
        --i;
      }
    if (line_.due(false, false)) line_.show(progress());
  }

  void finish(const SweepRun& run, const ChildEnd& end, double seconds, bool stopping) {
    ++finished_;
    std::string text;
    if (end.code == exit_code::done) {
      text = fmt::format("done in {}", duration_text(seconds));
    } else if (end.code == exit_code::interrupted || (stopping && end.signal == SIGTERM)) {
      text = "interrupted";
      interrupted_ = true;
    } else {
      failures_[run.name] = reason_of(end);
      text = "failed: " + failures_[run.name];
    }
    line_.end();
    if (!arguments_.quiet) print("{}: {}\n", run.name, text);
    std::fflush(stdout);
  }

  std::string progress() const {
    const double share = double(finished_) / double(plan_.runs.size());
    const std::string left =
        finished_ > 0 ? fmt::format(", about {} left", duration_text(line_.elapsed() * (1 - share) / share)) : "";
    return fmt::format("{} {} of {} runs, {} running, {}{}", progress_bar(share), finished_, plan_.runs.size(),
                       running_.size(), duration_text(line_.elapsed()), left);
  }

  const SweepArguments& arguments_;
  const Sweep& asked_;
  const Plan& plan_;
  ProgressLine line_;
  int threads_ = 1;
  std::size_t next_ = 0, finished_ = 0;
  std::vector<Running> running_;
  std::map<std::string, std::string> failures_;  // reasons by run
  bool interrupted_ = false;
};

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  const Sweep asked{std::filesystem::weakly_canonical(find_scene(arguments.scene)).string(), arguments.preset,
                    parse_settings(arguments.overrides)};
  const std::string& dir = arguments.out;
  const std::optional<Sweep> before = read_sweep(dir);
  const Sweep sweep = before ? with_values(*before, asked, dir) : asked;
  if (std::none_of(sweep.settings.begin(), sweep.settings.end(), [](const SweepSetting& s) { return s.swept(); }))
    throw SceneError({{{"sweep", 0, 0}, "give a setting several values, such as --set domain.resolution=16,24,32"}});
  const Plan plan = make_plan(arguments, asked, sweep_runs(sweep.settings));
  make_directories(dir);
  const SweepLock lock(dir);
  write_sweep(dir, sweep);
  if (!arguments.quiet) print("{}: {} runs to do, {} complete already\n", dir, plan.runs.size(), plan.complete);
  std::fflush(stdout);

  Runs runs(arguments, asked, plan);
  runs.all();

  const SweepTable table = sweep_table(dir, sweep.settings, plan.figures, runs.failures());
  write_atomically(dir + "/table.csv", table_csv(table));
  write_atomically(dir + "/table.json", table_json(table));
  const std::vector<Chart> charts = sweep_charts(table);
  if (!charts.empty()) {
    write_charts(dir + "/sweep.svg", charts);
    write_charts(dir + "/sweep.png", charts);
  }
  if (!arguments.quiet)
    print("{}{}/table.csv, table.json{}\n", table_text(table), dir, charts.empty() ? "" : ", sweep.svg, sweep.png");
  bool failed = false;
  for (const SweepRow& row : table.rows) {
    if (row.reason.empty()) continue;
    print(stderr, "failed: {}/{}: {}\n", dir, row.run, row.reason);
    failed = true;
  }
  if (runs.interrupted()) {
    print(stderr, "stopped; to continue, give the same command again\n");
    return exit_code::interrupted;
  }
  return failed ? exit_code::failed : exit_code::done;
}

}  // namespace coracle
