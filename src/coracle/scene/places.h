// Where each given key stood, so that rules checked after reading can still point at it.
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
  // The key's place, or its table's where the key was left out.
  Place find(const Place& table, const char* key) const {
    const auto it = places_.find(id(table, key));
    return it == places_.end() ? table : it->second;
  }
  bool given(const Place& table, const char* key) const { return places_.contains(id(table, key)); }
  // Something in this table could not be read: a default may stand in for it, so no rule should judge the struct. `key`
  // says what, where that is known; an unknown or missing key may stand for any.
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
