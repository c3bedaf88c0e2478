// Text for error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coracle {

// The known word that is most similar to `word`; empty if none is. A swap of two neighbours counts as one change.
std::string nearest(std::string_view word, const std::vector<std::string>& known);
// "; did you mean 'density'?" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
// The text, shortened and without control characters, for a message of one line.
std::string one_line(std::string_view text, std::size_t longest);
inline constexpr std::size_t longest_title = 200;
// 'word', as one line.
std::string in_quotes(std::string_view word);

}  // namespace coracle
