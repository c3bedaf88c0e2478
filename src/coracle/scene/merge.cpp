#include "coracle/scene/merge.h"

#include "coracle/scene/override.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

void replace(toml::table& into, const toml::key& key, toml::node& node) {
  into.erase(key.str());
  node.visit([&](auto& value) { into.emplace<std::remove_cvref_t<decltype(value)>>(key, std::move(value)); });
}

bool is_list_of_tables(const toml::node& node) {
  const toml::array* array = node.as_array();
  return array && !array->empty() &&
         std::all_of(array->begin(), array->end(), [](const toml::node& n) { return n.is_table(); });
}

void append(toml::array& into, toml::array& from) {
  for (toml::node& node : from)
    node.visit([&](auto& value) { into.emplace_back<std::remove_cvref_t<decltype(value)>>(std::move(value)); });
}

struct Merger {
  Lists lists;
  Reading& reading;

  void tables(toml::table& into, toml::table& from, const std::string& path) {
    for (auto&& [key, node] : from) {
      toml::node* before = into.get(key.str());
      toml::table* given = node.as_table();
      const std::string deeper = path + (path.empty() ? "" : ".") + std::string(key.str());
      if (before && given && before->is_table())
        tables(*before->as_table(), *given, deeper);
      else if (before && given && before->is_array())
        entries(*before->as_array(), *given, deeper);
      else if (before && lists == Lists::append && is_list_of_tables(*before) && is_list_of_tables(node))
        append(*before->as_array(), *node.as_array());
      else
        replace(into, key, node);
    }
  }

  void entries(toml::array& into, toml::table& from, const std::string& path) {
    for (auto&& [key, node] : from) {
      const std::string entry(key.str());
      const std::size_t index = find_entry(into, entry);
      if (index == into.size()) {
        reading.problems.push_back({place_of(key, node, reading), no_such_entry(into, path, entry)});
        continue;
      }
      toml::node& before = *into.get(index);
      if (before.is_table() && node.is_table())
        tables(*before.as_table(), *node.as_table(), fmt::format("{}.{}", path, entry));
      else
        node.visit([&](auto& value) { into.replace(into.cbegin() + std::ptrdiff_t(index), std::move(value)); });
    }
  }
};

}  // namespace

Place place_of(const toml::key& key, const toml::node& node, const Reading& reading) {
  return reading.place(key.source().begin ? key.source() : node.source());
}

void merge(toml::table& into, toml::table& from, Lists lists, Reading& reading) {
  Merger{lists, reading}.tables(into, from, "");
}

}  // namespace coracle
