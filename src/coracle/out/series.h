// Numbers out of the lines of stats.jsonl, by paths (out/judge.h).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

using StatsLine = nlohmann::ordered_json;

// The number that `of` means in a line: a path, "a / b" or "a - b". NaN where it is not finite; nothing, and in `wrong`
// why, where the line has none.
std::optional<double> number_at(const StatsLine& line, const std::string& of, std::string& wrong);

// A row of probes.csv as the line's "probes": every column, and the vectors that three of them make.
void add_probes(StatsLine& line, const std::vector<std::string>& columns, const std::vector<double>& values);

// Every whole step of a run, its probes with it.
void for_each_step(const std::string& dir, const std::function<void(const StatsLine&)>& look);

}  // namespace coracle
