// Read one TOML value into one option. The type is checked here, the value by rules.h. Each overload returns the
// problem ("must be a number (m), not a string"), or an empty string.
#pragma once

#include "coracle/scene/fields.h"
#include "coracle/scene/rules.h"
#include "coracle/types.h"

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <vector>

namespace coracle {

// "must be <expected>, not <what it is>".
std::string wrong_type(const toml::node& node, const std::string& expected);

std::string read_value(const toml::node& node, double& value, const FieldInfo& info);
std::string read_value(const toml::node& node, int& value, const FieldInfo& info);
std::string read_value(const toml::node& node, bool& value, const FieldInfo& info);
std::string read_value(const toml::node& node, std::string& value, const FieldInfo& info);
std::string read_value(const toml::node& node, Vec3& value, const FieldInfo& info);
std::string read_value(const toml::node& node, Vec3i& value, const FieldInfo& info);
std::string read_value(const toml::node& node, std::vector<double>& value, const FieldInfo& info);
std::string read_value(const toml::node& node, std::vector<Vec3>& value, const FieldInfo& info);
std::string read_value(const toml::node& node, std::vector<std::string>& value, const FieldInfo& info);
// The index of a word of an enum.
std::string read_word(const toml::node& node, int& index, Words words);

template <class E>
requires std::is_enum_v<E> std::string read_value(const toml::node& node, E& value, const FieldInfo&) {
  int index = int(value);
  const std::string wrong = read_word(node, index, words(value));
  value = E(index);
  return wrong;
}

template <class E>
requires std::is_enum_v<E> std::string read_value(const toml::node& node, std::vector<E>& value,
                                                  const FieldInfo& info) {
  const toml::array* array = node.as_array();
  if (!array) return wrong_type(node, "an array of words");
  std::vector<E> given(array->size());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::string wrong = read_value(*array->get(i), given[i], info); !wrong.empty()) return in_entry(wrong, i);
  value = std::move(given);
  return "";
}

template <class T>
std::string read_value(const toml::node& node, std::optional<T>& value, const FieldInfo& info) {
  T given{};
  std::string wrong = read_value(node, given, info);
  if (wrong.empty()) value = given;
  return wrong;
}

}  // namespace coracle
