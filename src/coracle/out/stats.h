// stats.jsonl (one object per step) and probes.csv (one row per step).
#pragma once

#include "coracle/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle {

// Lines without a line end. Numbers read back to the same bits; a number that is not finite is null in JSON.
std::string stats_line(const StepReport& report);
std::string probes_header(const std::vector<std::string>& columns);
std::string probes_line(const StepReport& report);

// Deletes every line after that of `step`, and an incomplete last line. Does nothing if there is no such file.
void cut_back(const std::string& path, std::int64_t step);

}  // namespace coracle
