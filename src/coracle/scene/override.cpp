#include "coracle/scene/override.h"

#include "coracle/scene/nearest.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace coracle {
namespace {

constexpr std::size_t longest_path = 16;  // segments

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> segments(1);
  for (char c : path)
    if (c == '.')
      segments.emplace_back();
    else
      segments.back() += c;
  return segments;
}

struct Value {
  toml::table holder;  // {value = ...}; owns the node, which keeps its source
  std::string wrong;
};

// One or more bare words, or a formula, are a string; text that starts like a number, a string or a bracket must be
// TOML.
bool looks_bare(const std::string& text) {
  const bool start = !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || (text[0] & 0x80) ||
                                       std::string("_./~=").find(text[0]) != std::string::npos);
  return start &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127 || c == '"'; });
}

Value parse_value(const std::string& text, const std::string& source) {
  Value value;
  try {
    value.holder = parse_toml("value = " + text, source);
    if (value.holder.size() != 1 || text.find('\n') != std::string::npos) value.wrong = "is more than one value";
    return value;
  } catch (const SceneError& error) {
    value.wrong = error.problems.front().message;
  }
  if (!looks_bare(text)) return value;
  try {
    value.holder = parse_toml("value = \"" + toml_escaped(text) + "\"", source);
    value.wrong.clear();
  } catch (const SceneError&) {  // not UTF-8: keep the first message
  }
  return value;
}

template <class F>
void with_node(toml::table& holder, F&& f) {
  holder.get("value")->visit([&](auto& node) { f(node); });
}

void put(toml::table& table, const std::string& key, toml::table& holder) {
  const toml::source_region source = holder.get("value")->source();
  table.erase(key);
  with_node(holder, [&](auto& node) {
    table.emplace<std::remove_cvref_t<decltype(node)>>(toml::key(key, source), std::move(node));
  });
}

// A variable that no formula can use would change nothing.
std::string unknown_variable(const toml::table& root, const std::string& name) {
  std::vector<std::string> names;
  if (const toml::table* table = root["variables"].as_table())
    for (const auto& [key, node] : *table) names.emplace_back(key.str());
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  return fmt::format("the scene has no variable {}{}", in_quotes(name), did_you_mean(name, names));
}

}  // namespace

std::size_t find_entry(const toml::array& array, const std::string& segment) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
  if (error == std::errc() && end == segment.data() + segment.size() && index < array.size()) return index;
  for (std::size_t i = 0; i < array.size(); ++i)
    if (const toml::table* t = array.get(i)->as_table())
      if (t->get("name") && t->get("name")->value<std::string>() == segment) return i;
  return array.size();
}

std::string no_such_entry(const toml::array& array, const std::string& path, const std::string& segment) {
  std::vector<std::string> names;
  for (const toml::node& node : array)
    if (const toml::table* t = node.as_table())
      if (t->get("name"))
        if (const auto name = t->get("name")->value<std::string>()) names.push_back(*name);
  return fmt::format("there is no {} in '{}', which holds {}{}", in_quotes(segment), path, array.size(),
                     did_you_mean(segment, names));
}

void apply_override(toml::table& root, const Override& override, std::vector<Problem>& problems) {
  const std::string source = "--set " + override.path + "=" + override.value;
  const auto fail = [&](const std::string& message) { problems.push_back({{source, 0, 0}, message}); };

  const std::vector<std::string> segments = split(override.path);
  if (segments[0] == "preset") return fail("presets are chosen with --preset NAME");
  if (segments.size() > longest_path || std::find(segments.begin(), segments.end(), "") != segments.end())
    return fail("the path must be keys with dots between them, such as liquid.density");
  if (segments[0] == "include") return fail("includes are written in the scene file: include = [\"other.toml\"]");
  if (segments[0] == "variables" && segments.size() == 2)
    if (const std::string wrong = unknown_variable(root, segments[1]); !wrong.empty()) return fail(wrong);
  Value value = parse_value(override.value, source);
  if (!value.wrong.empty()) return fail(fmt::format("cannot read {}: {}", in_quotes(override.value), value.wrong));

  toml::node* at = &root;
  std::string path;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string& segment = segments[i];
    const bool last = i + 1 == segments.size();
    if (toml::table* table = at->as_table()) {
      if (last) return put(*table, segment, value.holder);
      if (!table->contains(segment)) {
        Value empty = parse_value("{}", source);
        put(*table, segment, empty.holder);
      }
      at = table->get(segment);
    } else if (toml::array* array = at->as_array()) {
      const std::size_t index = find_entry(*array, segment);
      if (index == array->size()) return fail(no_such_entry(*array, path, segment));
      if (last)
        return with_node(value.holder,
                         [&](auto& node) { array->replace(array->cbegin() + std::ptrdiff_t(index), std::move(node)); });
      at = array->get(index);
    } else {
      return fail(fmt::format("'{}' is a value, not a table: it has no {}", path, in_quotes(segment)));
    }
    path += (path.empty() ? "" : ".") + segment;
  }
}

}  // namespace coracle
