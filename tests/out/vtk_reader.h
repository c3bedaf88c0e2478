// Reads back what out/vtk writes, by string searches that know nothing of the writer's code.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace coracle {

inline std::string decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;  // padding
    word = word << 6 | unsigned(digit);
    if ((bits += 6) >= 8) bytes += char(word >> (bits -= 8) & 255);
  }
  return bytes;
}

// The text between the tags of the array with this name; of the one in `section` (PointData, ...) where it is given.
inline std::string array_text(const std::string& xml, const std::string& name, const std::string& section = "") {
  const std::size_t from = section.empty() ? 0 : xml.find("<" + section + ">");
  EXPECT_NE(from, std::string::npos) << section;
  const std::size_t tag = xml.find("Name=\"" + name + "\"", from);
  EXPECT_NE(tag, std::string::npos) << name;
  EXPECT_TRUE(section.empty() || tag < xml.find("</" + section + ">")) << name << " is not in " << section;
  const std::size_t begin = xml.find(">\n", tag) + 2;
  return xml.substr(begin, xml.find('\n', begin) - begin);
}

inline std::string attribute_after(const std::string& xml, const std::string& name, std::size_t from) {
  const std::size_t begin = xml.find(" " + name + "=\"", from) + name.size() + 3;
  return xml.substr(begin, xml.find('"', begin) - begin);
}
inline std::string attribute(const std::string& xml, const std::string& name) { return attribute_after(xml, name, 0); }

template <class T>
const char* vtk_word() {
  return std::is_same_v<T, float>          ? "Float32"
         : std::is_same_v<T, double>       ? "Float64"
         : std::is_same_v<T, std::uint8_t> ? "UInt8"
                                           : "Int32";
}

template <class T>
std::vector<T> array_values(const std::string& xml, const std::string& name, const std::string& section = "") {
  const std::string text = array_text(xml, name, section), bytes = decode(text);
  EXPECT_EQ(attribute_after(xml, "type", xml.rfind("<DataArray", xml.find(text))), vtk_word<T>()) << name;
  std::uint64_t size = 0;
  EXPECT_GE(bytes.size(), sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size, bytes.size() - sizeof size);
  std::vector<T> values(size / sizeof(T));
  if (size > 0) std::memcpy(values.data(), bytes.data() + sizeof size, size);
  return values;
}

}  // namespace coracle
