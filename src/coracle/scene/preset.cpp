#include "coracle/scene/preset.h"

#include "coracle/scene/merge.h"
#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr std::size_t most_presets = 32;  // each is read and checked, whichever is chosen

void collect(const toml::node& node, const Reading& reading, PresetPlaces& places) {
  const auto add = [&](const toml::source_region& source) {
    const Place place = reading.place(source);
    places.insert({place.file, place.line, place.column});
  };
  add(node.source());
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) collect(element, reading, places);
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table) {
      add(key.source());
      collect(value, reading, places);
    }
}

// Names and types of the presets; those that cannot be used are dropped.
void check_presets(toml::table& presets, Reading& reading) {
  std::vector<std::string> bad;
  for (const auto& [key, node] : presets) {
    std::string wrong;
    if (const toml::table* table = node.as_table()) {
      wrong = wrong_value(std::string(key.str()), {.name = true});
      if (key.str().empty()) wrong = "must not be empty";
      if (!wrong.empty()) wrong.insert(0, "a preset's name ");
      for (const auto& [inner, value] : *table)
        if (inner.str() == "preset")
          reading.problems.push_back({place_of(inner, value, reading), "a preset cannot hold presets"});
        else if (inner.str() == "include")
          reading.problems.push_back({place_of(inner, value, reading),
                                      "a preset cannot include files; write 'include' at the top of the file"});
    } else {
      wrong = fmt::format("{} {}", in_quotes(key.str()), wrong_type(node, "a table, [preset.NAME]"));
    }
    if (wrong.empty()) continue;
    reading.problems.push_back({place_of(key, node, reading), wrong});
    bad.emplace_back(key.str());
  }
  for (const std::string& key : bad) presets.erase(key);
  for (auto&& [key, node] : presets)
    for (const char* refused : {"preset", "include"}) node.as_table()->erase(refused);
}

}  // namespace

std::vector<std::string> preset_tables(const toml::table& root) {
  std::vector<std::tuple<unsigned, unsigned, std::string>> found;
  if (const toml::table* presets = root["preset"].as_table())
    for (const auto& [key, node] : *presets)
      found.emplace_back(key.source().begin.line, key.source().begin.column, std::string(key.str()));
  std::vector<std::string> names;
  if (found.size() > most_presets) return names;  // apply_preset reports it
  std::sort(found.begin(), found.end());
  for (const auto& [line, column, name] : found) names.push_back(name);
  return names;
}

std::vector<std::string> preset_names(const toml::table& root) {
  std::vector<std::string> names = preset_tables(root);
  if (!names.empty() && std::find(names.begin(), names.end(), as_written) == names.end())
    names.insert(names.begin(), as_written);
  return names;
}

PresetPlaces apply_preset(toml::table& root, const std::string& name, Reading& reading) {
  const auto asked = [&](const std::string& message) {
    reading.problems.push_back({{"--preset " + name, 0, 0}, message});
  };
  const auto entry = root.find("preset");
  if (entry == root.end()) {
    if (!name.empty()) asked(fmt::format("{} has no presets", reading.file));
    return {};
  }
  if (const toml::value<std::string>* recorded = entry->second.as_string()) {  // the scene of a run
    if (!name.empty() && name != recorded->get())
      asked(fmt::format("{} is already the preset {}; use the scene file that it was made from", reading.file,
                        in_quotes(recorded->get())));
    return {};
  }
  const Place place = place_of(entry->first, entry->second, reading);
  const std::vector<std::string> known = preset_names(root);
  toml::table presets;
  if (toml::table* tables = entry->second.as_table())
    presets = std::move(*tables);
  else
    reading.problems.push_back({place, "'preset' " + wrong_type(entry->second, "tables, [preset.NAME]")});
  root.erase("preset");
  if (presets.size() > most_presets) {
    reading.problems.push_back({place, fmt::format("{} presets; {} are the most", presets.size(), most_presets)});
    presets.clear();
  }
  check_presets(presets, reading);

  if (!name.empty() && known.empty()) {
    asked(fmt::format("{} has no presets", reading.file));
  } else if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string hint = did_you_mean(name, known);
    asked(fmt::format("no such preset{} {} has {}", hint.empty() ? ";" : hint, reading.file, fmt::join(known, ", ")));
  }
  PresetPlaces places;
  if (toml::table* chosen = presets[name].as_table()) {
    collect(*chosen, reading, places);
    merge(root, *chosen, Lists::replace, reading);
  }
  const bool default_is_preview = !presets.empty() && !presets.contains(as_written);
  if (presets.contains(name))
    root.insert_or_assign("preset", name);
  else if (default_is_preview && (name.empty() || name == as_written))
    root.insert_or_assign("preset", std::string(as_written));
  return places;
}

}  // namespace coracle
