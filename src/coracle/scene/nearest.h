// Words for messages about words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coracle {

// The known word that `word` most likely meant; empty when none is near. Swapped neighbours count as one slip.
std::string nearest(std::string_view word, const std::vector<std::string>& known);
// "; did you mean 'density'?" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
// The text, shortened, without control characters: fit for a message of one line.
std::string one_line(std::string_view text, std::size_t longest);
// 'word', as one line.
std::string in_quotes(std::string_view word);

}  // namespace coracle
