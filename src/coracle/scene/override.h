// Changes from the command line, made in the TOML before it is read.
#pragma once

#include "coracle/scene.h"

#include <toml++/toml.h>

namespace coracle {

// Paths walk tables by key and arrays by index or by the `name` of a table in them: "solid.ball.radius".
// Whatever is put in has the source "--set path=value".
void apply_override(toml::table& root, const Override& override, std::vector<Problem>& problems);

// The index of the entry that a segment of a path means, by number or by name; the array's size where there is none.
std::size_t find_entry(const toml::array& array, const std::string& segment);
std::string no_such_entry(const toml::array& array, const std::string& path, const std::string& segment);

}  // namespace coracle
