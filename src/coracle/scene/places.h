// The place of each key in its file, so that rules checked after reading can refer to it.
#pragma once

#include "coracle/error.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace coracle {

class KeyPlaces {
 public:
  void add(const Place& table, const char* key, const Place& place) { places_[id(table, key)] = place; }
  // The place of the key, or of its table if the key was not given.
  Place find(const Place& table, const char* key) const {
    const auto it = places_.find(id(table, key));
    return it == places_.end() ? table : it->second;
  }
  bool given(const Place& table, const char* key) const { return places_.contains(id(table, key)); }
  // Something in this table could not be read and may have its default instead, so no rule should check the struct.
  // `key` is the affected key if known; an unknown or missing key may affect any.
  void doubt(const Place& table, const char* key = any_key) {
    doubtful_.insert(id(table, ""));
    doubtful_.insert(id(table, key));
  }
  bool doubtful(const Place& table) const { return doubtful_.contains(id(table, "")); }
  bool doubtful(const Place& table, const char* key) const {
    return doubtful_.contains(id(table, key)) || doubtful_.contains(id(table, any_key));
  }

 private:
  static constexpr const char* any_key = "*";
  using Id = std::tuple<std::string, int, int, std::string>;
  static Id id(const Place& table, const char* key) { return {table.file, table.line, table.column, key}; }
  std::map<Id, Place> places_;
  std::set<Id> doubtful_;
};

}  // namespace coracle
