// Where two JSON values differ.
#pragma once

#include "coracle/out/series.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

struct JsonDifference {
  std::string path;               // "bodies.beam.center": entries of lists by name, or by number from 0
  std::optional<StatsLine> a, b;  // none: only the other side has it
};

// One per value that is no object and no list of objects; one for all that stands under a key, or in an entry of a
// list, that only one side has. In the order of `a`, then of `b`. Numbers are equal if they have the same bits.
std::vector<JsonDifference> json_differences(const StatsLine& a, const StatsLine& b);

// The number of values in it.
std::size_t json_leaves(const StatsLine& value);

}  // namespace coracle
