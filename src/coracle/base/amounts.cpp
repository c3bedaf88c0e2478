#include "coracle/base/amounts.h"

#include <fmt/format.h>

#include <cmath>

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

std::string duration_text(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string length_text(double metres) {
  const char* const units[] = {"m", "mm", "µm", "nm"};
  int unit = 0;
  if (metres != 0)
    for (; std::abs(metres) < 0.995 && unit < 3; ++unit) metres *= 1000;
  const bool whole = std::abs(metres) >= 99.5;  // without an exponent
  return whole ? fmt::format("{:.0f} {}", metres, units[unit]) : fmt::format("{:.2g} {}", metres, units[unit]);
}

}  // namespace coracle
