// The figures of a sweep over its first swept setting.
#pragma once

#include "coracle/out/sweep_table.h"
#include "coracle/show/chart.h"

#include <vector>

namespace coracle {

// One chart per figure, then steps and time; in each, one line per combination of the other swept settings. Values that
// are not all numbers are numbered from 1, and the axis says which is which. Charts without a value are left out.
std::vector<Chart> sweep_charts(const SweepTable& table);

}  // namespace coracle
