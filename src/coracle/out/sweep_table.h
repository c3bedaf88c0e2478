// The results of a sweep: one row per run, with the values of its settings and its figures.
#pragma once

#include "coracle/out/sweep.h"
#include "coracle/scene/expect.h"

#include <map>
#include <string>
#include <vector>

namespace coracle {

enum class SweepState { done, failed, interrupted, not_run };

struct SweepRow {
  std::string run;                  // its folder
  std::vector<std::string> values;  // of the swept settings
  std::vector<double> figures;      // NaN: the run does not have it, or did not get so far
  long steps = 0;
  double wall_s = 0;  // s, of all steps, by the clock
  SweepState state = SweepState::not_run;
  std::string reason = {};  // of a failure
};

struct SweepTable {
  std::vector<std::string> paths;   // of the swept settings
  std::vector<std::string> labels;  // their short names
  std::vector<std::string> figures;
  std::vector<SweepRow> rows;
};

// From the files of the runs in `dir`. `failures`: reasons by the name of the run.
SweepTable sweep_table(const std::string& dir, const std::vector<SweepSetting>& settings,
                       const std::vector<Expectation>& figures, const std::map<std::string, std::string>& failures);

const char* word(SweepState state);
// Columns: the swept paths, the figures, steps, wall_s, state, run.
std::string table_csv(const SweepTable& table);
std::string table_json(const SweepTable& table);
// In aligned columns, for people.
std::string table_text(const SweepTable& table);

}  // namespace coracle
