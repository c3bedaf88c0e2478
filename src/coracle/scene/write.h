#pragma once

#include <string>
#include <string_view>

namespace coracle {

// The content of a TOML basic string, without quotes.
std::string toml_escaped(std::string_view text);

}  // namespace coracle
