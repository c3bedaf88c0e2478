// FNV-1a, 64 bits: tells whether the bytes of a file have changed. It is no protection against malice.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle {

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325;

  void add(std::string_view bytes) {
    for (const char c : bytes) value = (value ^ std::uint8_t(c)) * 0x100000001b3;
  }
  std::string hex() const { return fmt::format("{:016x}", value); }
};

}  // namespace coracle
