#pragma once

#include <string>
#include <string_view>

namespace coracle {

// The inside of a TOML basic string.
std::string toml_escaped(std::string_view text);

}  // namespace coracle
