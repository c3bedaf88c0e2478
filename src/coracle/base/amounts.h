// Large amounts as people write them.
#pragma once

#include <string>

namespace coracle {

// "1.26 GB" or "250 MB".
std::string size_text(double bytes);
// "725", "12 thousand" or "1.68 million".
std::string count_text(double count);

}  // namespace coracle
