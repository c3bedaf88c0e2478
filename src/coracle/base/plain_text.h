#pragma once

#include <string>
#include <string_view>

namespace coracle {

// The text with '?' for every control character but the end of a line, and for every byte that is not UTF-8: a terminal
// then shows it and obeys none of it.
std::string plain_text(std::string_view text);

}  // namespace coracle
