// Amounts as people write them.
#pragma once

#include <string>

namespace coracle {

// "1.26 GB" or "250 MB".
std::string size_text(double bytes);
// "725", "12 thousand" or "1.68 million".
std::string count_text(double count);
// "12 s", "4:05" or "1:02:03".
std::string duration_text(double seconds);
// "1.2 m", "34 mm" or "120 µm": two digits.
std::string length_text(double metres);

}  // namespace coracle
