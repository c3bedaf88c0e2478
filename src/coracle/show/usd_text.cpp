#include "coracle/show/usd_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace coracle {
namespace {

// [a, b, c]; add(value) appends one value.
template <class T, class Add>
std::string list(std::span<const T> values, std::size_t guess, Add&& add) {
  std::string text = "[";
  text.reserve(2 + guess * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ", ";
    add(text, values[i]);
  }
  return text + "]";
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::vector<std::string> usd_identifiers(const std::vector<std::string>& names, std::vector<std::string> taken) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string base = name.empty() || is_digit(name[0]) ? "_" : "";
    for (const char c : name) base += is_digit(c) || is_letter(c) ? c : '_';
    std::string unique = base;
    for (int n = 2; std::find(taken.begin(), taken.end(), unique) != taken.end(); ++n)
      unique = fmt::format("{}_{}", base, n);
    taken.push_back(unique);
    result.push_back(unique);
  }
  return result;
}

std::string usd_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      quoted += c;
  }
  return quoted + '"';
}

std::string usd_number(double x) { return fmt::format("{}", x); }

std::string usd_array(std::span<const float> values) {
  return list(values, 12, [](std::string& to, float x) { fmt::format_to(std::back_inserter(to), "{}", x); });
}

std::string usd_array(std::span<const int> values) {
  return list(values, 8, [](std::string& to, int x) { fmt::format_to(std::back_inserter(to), "{}", x); });
}

std::string usd_array(std::span<const Vec3f> values) {
  return list(values, 38, [](std::string& to, const Vec3f& x) {
    fmt::format_to(std::back_inserter(to), "({}, {}, {})", x.x(), x.y(), x.z());
  });
}

}  // namespace coracle
