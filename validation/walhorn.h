// Dam break on an elastic obstacle [Walhorn05], by any method.
#pragma once

#include "validation/figures.h"

namespace coracle::validation {

struct WalhornRun {
  const char* method = "cutcell";
  int resolution = 160;  // cells along the tank; with the default three of them through the plate
  int slab = 2;          // cells
  int layers = 12;       // of cubes through the plate: linear tets lock (docs/elastic.md); 20 change 0.2 mm
  double max_dt = 1e-3;  // s; the plate's first period is 0.165 s
  const char* more = "[contact]\nkind = \"none\"\n";  // the plate touches only its clamp
};

struct WalhornTip {
  double onset = std::numeric_limits<double>::quiet_NaN(), peak = 0, peak_time = 0, drift = 0;  // s, mm, s, of V
  Points path;                                                                                  // s, mm
};
WalhornTip break_dam_on_plate(const WalhornRun& run);

// The tip against the windows of six codes, and beside their curves.
Outcome beside_six_codes(const WalhornTip& tip);

}  // namespace coracle::validation
