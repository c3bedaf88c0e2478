#include "coracle/scene/rules.h"

#include "coracle/scene/formula.h"
#include "coracle/scene/nearest.h"
#include "coracle/shape/read_character.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace coracle {
namespace {

constexpr int deepest = 24;  // nested tables: more than any scene needs, few enough for the stack
constexpr std::size_t longest_name = 64;
constexpr auto letters_of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

std::string out_of_range(double value, const FieldInfo& info) {
  if (value >= info.min && value <= info.max && !(info.above && value == info.min)) return "";
  const double far = FieldInfo().max;  // this bound only prevents overflow; shown only if exceeded
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

template <class V>
std::string wrong_vector(const V& value, const FieldInfo& info) {
  for (int a = 0; a < 3; ++a)
    if (const std::string wrong = wrong_value(value[a], info); !wrong.empty()) return in_component(wrong, a);
  return info.nonzero && value.isZero(0) ? "must not be zero" : "";
}

}  // namespace

std::string wrong_value(double value, const FieldInfo& info) {
  if (!std::isfinite(value)) return fmt::format("must be a finite number, not {}", value);
  return out_of_range(value, info);
}

std::string wrong_value(std::int64_t value, const FieldInfo& info) {
  if (std::string wrong = out_of_range(double(value), info); !wrong.empty()) return wrong;
  const bool fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  return fits ? "" : fmt::format("is too large: {}", value);
}

std::string wrong_value(const std::string& value, const FieldInfo& info) {
  if (value.empty() && info.required) return "must not be empty";
  if (value.find('\0') != std::string::npos) return "must not hold a zero byte";
  if (info.formulas) return wrong_field_formula(value);
  if (!info.name) return "";
  if (value.size() > longest_name) return fmt::format("must have at most {} letters", longest_name);
  if (value.find_first_not_of(letters_of_names) != std::string::npos)
    return fmt::format("may hold only letters, digits, '_' and '-', not {}", in_quotes(value));
  return "";
}

std::string wrong_value(const Vec3& value, const FieldInfo& info) { return wrong_vector(value, info); }
std::string wrong_value(const Vec3i& value, const FieldInfo& info) { return wrong_vector(value, info); }

std::string all_of(Words words) { return fmt::format("\"{}\"", fmt::join(words, "\", \"")); }

std::string wrong_word(const std::string& given, Words words) {
  const std::vector<std::string> known(words.begin(), words.end());
  const std::string hint = did_you_mean(given, known);
  return fmt::format("cannot be {}{}", in_quotes(given), hint.empty() ? "; it is one of " + all_of(words) : hint);
}

std::string wrong_file(const std::filesystem::path& file, const std::string& given) {
  std::error_code ignored;
  if (is_sequence(file.string()) && !files_of_sequence(file.string()).empty()) return "";
  if (!std::filesystem::exists(file, ignored))
    return fmt::format("names a file that does not exist: {}", in_quotes(given));
  if (!std::filesystem::is_regular_file(file, ignored))
    return fmt::format("names something that is not a file: {}", in_quotes(given));
  return "";
}

std::string wrong_parts(std::size_t count, int depth) {
  if (count == 0) return "must not be empty";
  return depth >= deepest ? "is nested too deeply" : "";
}

std::string in_component(const std::string& wrong, int axis) {
  return wrong.empty() ? "" : fmt::format("{} (its {})", wrong, "xyz"[axis]);
}

std::string in_entry(const std::string& wrong, std::size_t index) {
  return wrong.empty() ? "" : fmt::format("{} (entry {})", wrong, index + 1);
}

}  // namespace coracle
