// Rules for the value of an option. The reader of files and the checker of scenes built in code use them. Each function
// returns the problem ("must be at least 0 m, not -1"), or an empty string.
#pragma once

#include "coracle/scene/fields.h"
#include "coracle/types.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

std::string wrong_value(double value, const FieldInfo& info);
std::string wrong_value(std::int64_t value, const FieldInfo& info);
std::string wrong_value(const std::string& value, const FieldInfo& info);
std::string wrong_value(const Vec3& value, const FieldInfo& info);
std::string wrong_value(const Vec3i& value, const FieldInfo& info);
inline std::string wrong_value(int value, const FieldInfo& info) { return wrong_value(std::int64_t(value), info); }
inline std::string wrong_value(bool, const FieldInfo&) { return ""; }

// "one", "two": the words of an enum, for messages.
std::string all_of(Words words);
// The problem of a word that the enum does not have.
std::string wrong_word(const std::string& given, Words words);
// The problem of a file that an option names as `given`.
std::string wrong_file(const std::filesystem::path& file, const std::string& given);
// The problem of a shape with `count` parts, nested in `depth` tables.
std::string wrong_parts(std::size_t count, int depth);

// Add to a problem which component or entry is wrong; an empty problem stays empty.
std::string in_component(const std::string& wrong, int axis);
std::string in_entry(const std::string& wrong, std::size_t index);

// An enum may hold a number that is no word; the problem then shows the number.
template <class E>
requires std::is_enum_v<E> std::string wrong_value(E value, const FieldInfo&) {
  const int index = int(value);
  const bool known = index >= 0 && std::size_t(index) < words(value).size();
  return known ? "" : wrong_word(std::to_string(index), words(value));
}

template <class T>
std::string wrong_value(const std::optional<T>& value, const FieldInfo& info) {
  return value ? wrong_value(*value, info) : "";
}

template <class T>
std::string wrong_value(const std::vector<T>& values, const FieldInfo& info) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const std::string wrong = wrong_value(values[i], info); !wrong.empty()) return in_entry(wrong, i);
  return "";
}

}  // namespace coracle
