#include "coracle/out/json_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace coracle {
namespace {

bool is_list_of_objects(const StatsLine& j) {
  return j.is_array() && !j.empty() &&
         std::all_of(j.begin(), j.end(), [](const StatsLine& e) { return e.is_object(); });
}

// Names of all entries; none if one has no name or two share one.
std::vector<std::string> names_in(const StatsLine& list) {
  std::vector<std::string> names;
  for (const StatsLine& entry : list)
    if (entry.contains("name") && entry["name"].is_string()) names.push_back(entry["name"]);
  const bool distinct = std::set<std::string>(names.begin(), names.end()).size() == list.size();
  return distinct ? names : std::vector<std::string>{};
}

// A list of objects as one object, by name or number.
StatsLine by_key(const StatsLine& list, bool named) {
  StatsLine object = StatsLine::object();
  const std::vector<std::string> names = named ? names_in(list) : std::vector<std::string>{};
  for (std::size_t i = 0; i < list.size(); ++i) object[named ? names[i] : std::to_string(i)] = list[i];
  return object;
}

void compare(const std::string& path, const StatsLine& a, const StatsLine& b, std::vector<JsonDifference>& found) {
  const auto objects = [](const StatsLine& j) { return is_list_of_objects(j) || (j.is_array() && j.empty()); };
  if (objects(a) && objects(b) && !(a.empty() && b.empty())) {
    const bool named = names_in(a).size() == a.size() && names_in(b).size() == b.size();
    return compare(path, by_key(a, named), by_key(b, named), found);
  }
  if (!a.is_object() || !b.is_object()) {
    if (a.dump() != b.dump()) found.push_back({path, a, b});  // the text of a number has all its bits
    return;
  }
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  const StatsLine none = StatsLine::array();  // a list that is missing is empty, so that its entries are named
  for (const auto& [key, value] : a.items())
    if (b.contains(key) || is_list_of_objects(value))
      compare(below(key), value, b.contains(key) ? b[key] : none, found);
    else
      found.push_back({below(key), value, std::nullopt});
  for (const auto& [key, value] : b.items())
    if (!a.contains(key) && is_list_of_objects(value))
      compare(below(key), none, value, found);
    else if (!a.contains(key))
      found.push_back({below(key), std::nullopt, value});
}

}  // namespace

std::vector<JsonDifference> json_differences(const StatsLine& a, const StatsLine& b) {
  std::vector<JsonDifference> found;
  compare("", a, b, found);
  return found;
}

std::size_t json_leaves(const StatsLine& value) {
  if (!value.is_object() && !is_list_of_objects(value)) return 1;
  std::size_t count = 0;
  for (const auto& [key, inner] : value.items()) count += json_leaves(inner);
  return count;
}

}  // namespace coracle
