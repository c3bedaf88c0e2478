#include "coracle/base/amounts.h"

#include <fmt/format.h>

namespace coracle {

std::string size_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 5; ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string count_text(double count) {
  const char* const words[] = {"", " thousand", " million", " billion", " trillion"};
  if (count < 9999.5) return fmt::format("{:.0f}", count);
  int word = 0;
  for (; count >= 999.5 && word < 4; ++word) count /= 1000;
  return fmt::format("{:.3g}{}", count, words[word]);
}

}  // namespace coracle
