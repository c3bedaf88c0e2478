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
// 'word', shortened and without control characters, fit for a message of one line.
std::string in_quotes(std::string_view word);

}  // namespace coracle
