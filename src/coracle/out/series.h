// Numbers from the lines of stats.jsonl, by paths (out/judge.h).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

using StatsLine = nlohmann::ordered_json;

// The number that `of` denotes in a line: a path, "a / b" or "a - b". NaN if it is not finite; none if it is missing,
// with the reason in `wrong`.
std::optional<double> number_at(const StatsLine& line, const std::string& of, std::string& wrong);

// Adds a row of probes.csv to the line as "probes": every column, and a vector for columns NAME_x, NAME_y, NAME_z.
void add_probes(StatsLine& line, const std::vector<std::string>& columns, const std::vector<double>& values);

// Calls `look` for every complete step of a run, with its probes.
void for_each_step(const std::string& dir, const std::function<void(const StatsLine&)>& look);

}  // namespace coracle
