#include "coracle/scene/read_value.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return fmt::format("an array of {}", node.as_array()->size());
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::string with_unit(const std::string& text, const FieldInfo& info) {
  return *info.unit ? fmt::format("{} ({})", text, info.unit) : text;
}

// Store the value if it is valid.
template <class Given, class T>
std::string keep(const Given& given, T& value, const FieldInfo& info) {
  std::string wrong = wrong_value(given, info);
  if (wrong.empty()) value = T(given);
  return wrong;
}

}  // namespace

std::string wrong_type(const toml::node& node, const std::string& expected) {
  return fmt::format("must be {}, not {}", expected, type_name(node));
}

std::string read_value(const toml::node& node, double& value, const FieldInfo& info) {
  if (!node.is_number()) return wrong_type(node, with_unit("a number", info));
  return keep(node.is_integer() ? double(node.as_integer()->get()) : node.as_floating_point()->get(), value, info);
}

std::string read_value(const toml::node& node, int& value, const FieldInfo& info) {
  if (!node.is_integer()) return wrong_type(node, with_unit("an integer", info));
  return keep(node.as_integer()->get(), value, info);
}

std::string read_value(const toml::node& node, bool& value, const FieldInfo&) {
  if (!node.is_boolean()) return wrong_type(node, "true or false");
  value = node.as_boolean()->get();
  return "";
}

std::string read_value(const toml::node& node, std::string& value, const FieldInfo& info) {
  if (!node.is_string()) return wrong_type(node, "a string");
  return keep(node.as_string()->get(), value, info);
}

namespace {
template <class V>
std::string read_vector(const toml::node& node, V& value, const FieldInfo& info, const char* what) {
  const toml::array* array = node.as_array();
  const std::string expected = with_unit(what, info);
  if (!array || array->size() != 3) return wrong_type(node, expected);
  V given;
  for (int a = 0; a < 3; ++a) {
    const toml::node& component = *array->get(std::size_t(a));
    if (!component.is_number())
      return fmt::format("must be {}; its {} is {}", expected, "xyz"[a], type_name(component));
    if (std::string wrong = read_value(component, given[a], info); !wrong.empty()) return in_component(wrong, a);
  }
  return keep(given, value, info);
}
}  // namespace

std::string read_value(const toml::node& node, Vec3& value, const FieldInfo& info) {
  return read_vector(node, value, info, "an array of 3 numbers");
}

std::string read_value(const toml::node& node, Vec3i& value, const FieldInfo& info) {
  return read_vector(node, value, info, "an array of 3 integers");
}

namespace {
template <class T>
std::string read_list(const toml::node& node, std::vector<T>& value, const FieldInfo& info, const char* expected) {
  const toml::array* array = node.as_array();
  if (!array) return wrong_type(node, with_unit(expected, info));
  std::vector<T> given(array->size());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::string wrong = read_value(*array->get(i), given[i], info); !wrong.empty()) return in_entry(wrong, i);
  value = std::move(given);
  return "";
}
}  // namespace

std::string read_value(const toml::node& node, std::vector<double>& value, const FieldInfo& info) {
  return read_list(node, value, info, "an array of numbers");
}
std::string read_value(const toml::node& node, std::vector<Vec3>& value, const FieldInfo& info) {
  return read_list(node, value, info, "an array of arrays of 3 numbers");
}

std::string read_value(const toml::node& node, std::vector<std::string>& value, const FieldInfo& info) {
  return read_list(node, value, info, "an array of strings");
}

std::string read_word(const toml::node& node, int& index, Words words) {
  if (!node.is_string()) return wrong_type(node, "one of " + all_of(words));
  const std::string& given = node.as_string()->get();
  const auto known = std::find(words.begin(), words.end(), given);
  if (known == words.end()) return wrong_word(given, words);
  index = int(known - words.begin());
  return "";
}

}  // namespace coracle
