// All that the program prints passes here: titles, names and paths may hold control characters, and a terminal would
// obey them.
#pragma once

#include "coracle/base/plain_text.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace coracle {

inline void put(std::FILE* to, const std::string& text) {
  const std::string plain = plain_text(text);
  std::fwrite(plain.data(), 1, plain.size(), to);
}
template <class... Args>
void print(std::FILE* to, fmt::format_string<Args...> format, Args&&... args) {
  put(to, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  put(stdout, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace coracle
