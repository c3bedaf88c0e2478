#include "coracle/out/sweep.h"

#include "coracle/base/hash.h"
#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace coracle {
namespace {

constexpr std::size_t most_runs = 10'000;                      // more are a slip of the finger
constexpr std::size_t longest_value = 40, longest_name = 180;  // bytes in a folder's name; file systems allow 255

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<T>(value) : std::nullopt;
}

// Splits at commas outside brackets and quotes.
std::vector<std::string> split_values(const std::string& text, std::string& wrong) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool at_start = values.back().find_first_not_of(' ') == std::string::npos;
    if (quote != 0) {
      if (quote == '"' && c == '\\' && i + 1 < text.size())
        values.back() += text[i++];
      else if (c == quote)
        quote = 0;
    } else if ((c == '"' || c == '\'') && (at_start || depth > 0)) {  // elsewhere it is part of a word
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if (c == ']' || c == ')' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += text[i];
  }
  if (quote != 0) wrong = "a quote is not closed";
  if (depth != 0) wrong = depth > 0 ? "a bracket is not closed" : "a bracket is closed that was not opened";
  for (std::string& value : values) value = trimmed(value);
  if (wrong.empty() && std::find(values.begin(), values.end(), "") != values.end())
    wrong = "a value is missing; give path=value or path=value,value,...";
  return values;
}

// The values of LOW:HIGH:COUNT; none if the text is something else.
std::vector<std::string> range_of(const std::string& text, std::string& wrong) {
  const std::size_t first = text.find(':'), second = first == text.npos ? first : text.find(':', first + 1);
  if (first == text.npos) return {};
  const std::string low = trimmed(text.substr(0, first)), high = trimmed(text.substr(first + 1, second - first - 1));
  const std::optional<double> a = whole_number<double>(low), b = whole_number<double>(high);
  if (!a || !b) return {};
  const std::optional<long> count = whole_number<long>(second == text.npos ? "" : trimmed(text.substr(second + 1)));
  if (!count || *count < 2 || *count > long(most_runs) || !(*a != *b) || !std::isfinite(*a) || !std::isfinite(*b)) {
    wrong = fmt::format("{} must be LOW:HIGH:COUNT, with two different ends and a COUNT from 2 to {}", in_quotes(text),
                        most_runs);
    return {};
  }
  std::vector<std::string> values{low};
  for (long i = 1; i + 1 < *count; ++i) {
    const double share = double(i) / double(*count - 1);
    double value = (1 - share) * *a + share * *b;
    if (std::abs(value) < 1e-12 * std::max(std::abs(*a), std::abs(*b))) value = 0;
    values.push_back(fmt::format("{:.12g}", value));  // 12 digits: 0.2, not 0.20000000000000001
  }
  values.push_back(high);
  return values;
}

// The value as a part of a folder's name.
std::string file_text(const std::string& value) {
  std::string out;
  for (const char c : value) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                       c == '-' || c == '+' || c == '_';
    if (plain)
      out += c;
    else if (std::string_view("[]()\"' ").find(c) == std::string_view::npos)
      out += '_';
  }
  return out;
}

std::string hash_of(const std::string& text) {
  Hash hash;
  hash.add(text);
  return hash.hex().substr(0, 8);
}

// One name per value. A value that would get the name of an earlier one, or a long one, has its hash in its name.
std::vector<std::string> value_names(const std::vector<std::string>& values) {
  std::vector<std::string> names;
  for (const std::string& value : values) {
    std::string name = file_text(value);
    if (name.size() > longest_value) name = name.substr(0, longest_value) + "-" + hash_of(value);
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) name += "-" + hash_of(value);
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<SweepSetting> parse_settings(const std::vector<Override>& set) {
  std::vector<SweepSetting> settings;
  std::vector<Problem> problems;
  for (const auto& [path, text] : set) {
    const auto fail = [&, &path = path, &text = text](const std::string& message) {
      problems.push_back({{fmt::format("--set {}={}", path, text), 0, 0}, message});
    };
    std::string wrong;
    SweepSetting setting{path, {}};
    for (const std::string& value : split_values(text, wrong)) {
      const std::vector<std::string> range = range_of(value, wrong);
      for (const std::string& v : range.empty() ? std::vector<std::string>{value} : range) {
        if (wrong.empty() && std::find(setting.values.begin(), setting.values.end(), v) != setting.values.end())
          wrong = fmt::format("{} is given twice", in_quotes(v));
        setting.values.push_back(v);
      }
    }
    for (const SweepSetting& other : settings)
      if (other.path == path) wrong = "this path is given twice; put all its values into one --set";
    if (!wrong.empty()) fail(wrong);
    settings.push_back(std::move(setting));
  }
  if (!problems.empty()) throw SceneError(std::move(problems));
  return settings;
}

std::vector<std::string> short_labels(const std::vector<SweepSetting>& settings) {
  std::vector<std::string> paths;
  for (const SweepSetting& s : settings)
    if (s.swept()) paths.push_back(s.path);
  std::vector<std::string> labels;
  for (const std::string& path : paths) {
    std::string label = path;
    // Ends with dots before them: ".radius", ".ball.radius".
    for (std::size_t dot = path.rfind('.'); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1)) {
      const auto has_end = [&](const std::string& other) { return ("." + other).ends_with(path.substr(dot)); };
      if (std::count_if(paths.begin(), paths.end(), has_end) > 1) continue;
      label = path.substr(dot + 1);
      break;
    }
    labels.push_back(label);
  }
  return labels;
}

std::vector<SweepRun> sweep_runs(const std::vector<SweepSetting>& settings) {
  double count = 1;
  for (const SweepSetting& s : settings) count *= double(s.values.size());
  if (count > double(most_runs))
    throw SceneError({{{"--set", 0, 0},
                       fmt::format("these values have {:.6g} combinations; a sweep may have {} runs: give fewer values",
                                   count, most_runs)}});
  std::vector<SweepRun> runs(1);
  const std::vector<std::string> labels = short_labels(settings);
  std::size_t label = 0;
  for (const SweepSetting& setting : settings) {
    const std::vector<std::string> names = value_names(setting.values);
    std::vector<SweepRun> longer;
    for (const SweepRun& run : runs)
      for (std::size_t v = 0; v < setting.values.size(); ++v) {
        SweepRun next = run;
        next.overrides.push_back({setting.path, setting.values[v]});
        if (setting.swept()) {
          next.name += (next.name.empty() ? "" : ",") + file_text(labels[label]) + "=" + names[v];
          next.swept.push_back(setting.values[v]);
        }
        longer.push_back(std::move(next));
      }
    runs = std::move(longer);
    label += setting.swept();
  }
  for (SweepRun& run : runs)
    if (run.name.size() > longest_name) run.name = run.name.substr(0, longest_name) + "-" + hash_of(run.name);
  return runs;
}

}  // namespace coracle
