// stats.jsonl (an object a step) and probes.csv (a row a step).
#pragma once

#include "coracle/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle {

// Lines without their end. Numbers read back to the same bits; what is not finite is null in JSON.
std::string stats_line(const StepReport& report);
std::string probes_header(const std::vector<std::string>& columns);
std::string probes_line(const StepReport& report);

// Drop every line after that of `step`, and what a killed run left unfinished. A file that is not there is left so.
void cut_back(const std::string& path, std::int64_t step);

}  // namespace coracle
