#include "coracle/scene/read_value.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

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

std::string out_of_range(double value, const FieldInfo& info) {
  if (value >= info.min && value <= info.max && !(info.above && value == info.min)) return "";
  const double far = FieldInfo().max;  // a bound that only guards against overflow is named only where it is passed
  const std::string unit = *info.unit ? std::string(" ") + info.unit : "";
  std::string range;
  if (value <= info.min && info.min > -far)
    range = fmt::format("{} {:.9g}", info.above ? "above" : "at least", info.min);
  if (value > info.max || range.empty() || info.max < far) {
    if (range.empty() && info.min > -far) range = fmt::format("{} {:.9g}", info.above ? "above" : "at least", info.min);
    if (range.empty()) range = fmt::format("at least {:.9g}", info.min);
    range += fmt::format(" and at most {:.9g}", info.max);
  }
  return fmt::format("must be {}{}, not {:.9g}", range, unit, value);
}

}  // namespace

std::string wrong_type(const toml::node& node, const std::string& expected) {
  return fmt::format("must be {}, not {}", expected, type_name(node));
}

std::string read_value(const toml::node& node, double& value, const FieldInfo& info) {
  if (!node.is_number()) return wrong_type(node, with_unit("a number", info));
  const double given = node.is_integer() ? double(node.as_integer()->get()) : node.as_floating_point()->get();
  if (!std::isfinite(given)) return fmt::format("must be a finite number, not {}", given);
  if (std::string wrong = out_of_range(given, info); !wrong.empty()) return wrong;
  value = given;
  return "";
}

std::string read_value(const toml::node& node, int& value, const FieldInfo& info) {
  if (!node.is_integer()) return wrong_type(node, with_unit("an integer", info));
  const std::int64_t given = node.as_integer()->get();
  if (std::string wrong = out_of_range(double(given), info); !wrong.empty()) return wrong;
  if (given < std::numeric_limits<int>::min() || given > std::numeric_limits<int>::max())
    return fmt::format("is too large: {}", given);
  value = int(given);
  return "";
}

std::string read_value(const toml::node& node, bool& value, const FieldInfo&) {
  if (!node.is_boolean()) return wrong_type(node, "true or false");
  value = node.as_boolean()->get();
  return "";
}

std::string read_value(const toml::node& node, std::string& value, const FieldInfo& info) {
  if (!node.is_string()) return wrong_type(node, "a string");
  const std::string& given = node.as_string()->get();
  if (given.empty() && info.required) return "must not be empty";
  if (given.find('\0') != std::string::npos) return "must not hold a zero byte";
  if (info.name) {
    constexpr std::size_t longest_name = 64;
    constexpr auto allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (given.size() > longest_name) return fmt::format("must have at most {} letters", longest_name);
    if (given.find_first_not_of(allowed) != std::string::npos)
      return fmt::format("may hold only letters, digits, '_' and '-', not {}", in_quotes(given));
  }
  value = given;
  return "";
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
    if (std::string wrong = read_value(component, given[a], info); !wrong.empty())
      return fmt::format("{} (its {})", wrong, "xyz"[a]);
  }
  if (info.nonzero && given.isZero(0)) return "must not be zero";
  value = given;
  return "";
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
    if (std::string wrong = read_value(*array->get(i), given[i], info); !wrong.empty())
      return fmt::format("{} (entry {})", wrong, i + 1);
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
  const std::vector<std::string> known(words.begin(), words.end());
  const std::string all = fmt::format("\"{}\"", fmt::join(known, "\", \""));
  if (!node.is_string()) return wrong_type(node, "one of " + all);
  const std::string& given = node.as_string()->get();
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == given) {
      index = int(i);
      return "";
    }
  const std::string hint = did_you_mean(given, known);
  return fmt::format("cannot be {}{}", in_quotes(given), hint.empty() ? "; it is one of " + all : hint);
}

}  // namespace coracle
