// Changes from the command line, made in the TOML before it is read.
#pragma once

#include "coracle/scene/scene.h"

#include <toml++/toml.h>

namespace coracle {

// Paths walk tables by key and arrays by index or by the `name` of a table in them: "solid.ball.radius".
// Whatever is put in has the source "--set path=value".
void apply_override(toml::table& root, const Override& override, std::vector<Problem>& problems);

}  // namespace coracle
