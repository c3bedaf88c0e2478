#include "coracle/base/plain_text.h"

#include <cstdint>

namespace coracle {
namespace {

// Number of bytes of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t character_bytes(std::string_view text) {
  const std::uint8_t first = std::uint8_t(text[0]);
  const std::size_t n = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (n > text.size()) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((std::uint8_t(text[i]) & 0xC0) != 0x80) return 0;
  return n;
}

// U+0000 to U+001F and U+007F to U+009F.
bool is_control(std::string_view character) {
  const std::uint8_t first = std::uint8_t(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && std::uint8_t(character[1]) < 0xA0;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t n = character_bytes(text);
    const std::string_view character = text.substr(0, n);
    if (n == 0 || (is_control(character) && character != "\n"))
      plain += '?';
    else
      plain += character;
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return plain;
}

}  // namespace coracle
