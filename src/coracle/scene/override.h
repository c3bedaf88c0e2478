// Changes from the command line, applied to the TOML before it is read.
#pragma once

#include "coracle/scene.h"

#include <toml++/toml.h>

namespace coracle {

// A path selects from tables by key, and from arrays by index or by the `name` of an entry: "solid.ball.radius".
// The source of the new value is "--set path=value".
void apply_override(toml::table& root, const Override& override, std::vector<Problem>& problems);

// The index of the entry that a segment of a path selects, by number or by name; the size of the array if none.
std::size_t find_entry(const toml::array& array, const std::string& segment);
std::string no_such_entry(const toml::array& array, const std::string& path, const std::string& segment);

}  // namespace coracle
