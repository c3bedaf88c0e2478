// TOML text, with limits on size and depth.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace coracle {

// The text of a file; throws SceneError if it cannot be read.
std::string read_toml_text(const std::string& file);
// Throws SceneError, at the place of the first syntax error. `source` names the text in messages and in nodes' sources.
toml::table parse_toml(std::string_view text, const std::string& source);

}  // namespace coracle
