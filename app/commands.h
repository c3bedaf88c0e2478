// The commands of the program, one file each. They return exit codes (exit_codes.h); main turns errors into codes.
#pragma once

#include "coracle/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace coracle {

struct RunArguments {
  std::string scene, out, preset;
  std::vector<Override> overrides;
  int threads = 0;  // 0: all cores
  bool resume = false, overwrite = false, quiet = false;
  bool strict = false;              // an expectation that fails makes the exit code 1
  bool control = false;             // it can be paused and stopped in the viewer
  bool force_memory = false;        // run even if the memory seems too small
  double checkpoint_minutes = 0;    // 0: checkpoints only at the end of frames
  std::string program = "coracle";  // as typed, for the commands in messages
};

struct SweepArguments {
  std::string scene, out, preset;
  std::vector<Override> overrides;   // a value may be a list or a range (out/sweep.h)
  std::vector<std::string> figures;  // none: those of the expectations
  int jobs = 1;                      // runs at once
  int threads = 0;                   // of a run; 0: its share of the cores
  bool quiet = false;
  std::string program = "coracle";  // as typed, for the commands in messages
};

struct CompareArguments {
  std::string a, b, out, frame;      // out and frame as typed; empty: no charts, the last frame that both have
  std::vector<std::string> figures;  // none: those of the expectations
  std::optional<double> strict;      // a difference above it makes the exit code 1
  bool json = false;
};

struct RenderArguments {
  std::string dir, out;
  std::string frame, preset, size, color, show, range;  // as typed; empty: the default
  std::vector<Override> overrides;
  int samples = 0;  // paths per pixel; 0: the preset's
  int threads = 0;  // 0: all cores
  bool quiet = false;
};

struct ValidateArguments {
  std::vector<std::string> names;  // none: all
  bool quick = false;              // only those that take seconds
  bool list = false;               // list the cases, run none
  bool json = false;
  std::string report_file;  // none: no report
  std::string backend = "cpu";
};

struct ExportArguments {
  std::string dir, to, out, frames;  // frames: "0:24", none: all
  bool no_particles = false;
};

int list_command();
int run_command(const RunArguments& arguments);
int sweep_command(const SweepArguments& arguments);
int compare_command(const CompareArguments& arguments);
int check_command(const std::string& scene, const std::vector<Override>& overrides, const std::string& preset);
int info_command(const std::string& dir, bool json);
int plot_command(const std::string& dir, const std::string& out);
int export_command(const ExportArguments& arguments);
int render_command(const RenderArguments& arguments);
int view_command(const std::string& dir, int port, bool open, bool control);
int schema_command();
int reference_command();
int validate_command(const ValidateArguments& arguments);
int bench_command(const std::vector<std::string>& names, bool json);

}  // namespace coracle
