// The folder of a sweep: sweep.json says what was asked; every run has a folder of its own beside it.
//   sweep.json  table.csv  table.json  sweep.svg  sweep.png  resolution=16,radius=0.1/  ...
#pragma once

#include "coracle/out/sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace coracle {

struct Sweep {
  std::string scene;  // absolute path of its file
  std::string preset;
  std::vector<SweepSetting> settings;
};

// What sweep.json says; none if there is no such folder, or an empty one. RunError if it holds other files.
std::optional<Sweep> read_sweep(const std::string& dir);
void write_sweep(const std::string& dir, const Sweep& sweep);

// `before`, the sweep in `dir`, with the values that `asked` adds. RunError if it is of another scene, or if other
// settings are swept or fixed.
Sweep with_values(const Sweep& before, const Sweep& asked, const std::string& dir);
// Whether a run of with_values(…, asked) is one that `asked` names.
bool asks_for(const Sweep& asked, const SweepRun& run);

// Held by the one process that sweeps into the folder; released when the process ends for any reason.
class SweepLock {
 public:
  explicit SweepLock(const std::string& dir);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int folder_;
};

}  // namespace coracle
