// The visitor that fills option structs from TOML and collects every problem.
#pragma once

#include "coracle/scene/places.h"
#include "coracle/scene/read_value.h"
#include "coracle/scene/tables.h"
#include "coracle/scene/variables.h"

#include <string>
#include <vector>

namespace coracle {

struct Reading {
  std::string file;    // for messages
  std::string folder;  // where relative paths of overrides start; those of a file start at the file
  std::vector<Problem> problems;
  KeyPlaces places;
  Variables variables = {};

  Place place(const toml::source_region& source) const;
};

// By file, in its order; problems without a line (overrides) come last.
void sort_problems(std::vector<Problem>& problems);

class TableReader {
 public:
  // `title` names the table in messages: "[liquid]".
  TableReader(Reading& reading, const toml::table& table, std::string title, std::string path, Place place, int depth)
      : reading_(reading),
        table_(table),
        title_(std::move(title)),
        path_(std::move(path)),
        place_(std::move(place)),
        depth_(depth) {}

  void here(Place& place) { place = place_; }

  template <class E>
  void kind(const char* name, E& value, const FieldInfo& info) {
    const std::size_t problems_before = reading_.problems.size();
    field(name, value, info);
    if (!table_.contains(name) || reading_.problems.size() != problems_before) {
      kind_in_doubt_ = true;
    } else {
      kind_ = only(value);
      kind_word_ = words(value)[int(value)];
    }
  }

  template <class T>
  void field(const char* name, T& value, const FieldInfo& info) {
    const toml::node* node = declare(name, info);
    if (node) report(name, read(*node, value, info));
    if constexpr (std::is_same_v<T, std::string>)
      if (node && info.file) resolve_file(name, value);
  }

  void corners(Vec3& center, Vec3& size, const FieldInfo& info);
  void parts(const char* name, std::vector<ShapeOptions>& parts, const FieldInfo& info);

  template <class T>
  void table(const char* name, T& value, const char*) {
    value.place = place_;
    const toml::node* node = declare(name, {});
    if (!node) return;
    const toml::table* sub = node->as_table();
    if (!sub) return report(name, wrong_type(*node, "a table, [" + path_ + name + "]"));
    read_table(*sub, value, "[" + path_ + name + "]", path_ + name + ".", reading_.place(sub->source()));
  }

  template <class T>
  void tables(const char* name, std::vector<T>& values, const char*) {
    const toml::node* node = declare(name, {});
    if (!node) return;
    const std::string title = "[[" + path_ + name + "]]";
    const toml::array* array = node->as_array();
    if (!array) return report(name, wrong_type(*node, "an array of tables, each headed " + title));
    for (const toml::node& element : *array) {
      const toml::table* sub = element.as_table();
      if (!sub) {
        report(name, wrong_type(element, "an array of tables, each headed " + title));
        continue;
      }
      values.emplace_back();
      read_table(*sub, values.back(), title, path_ + name + ".", reading_.place(sub->source()));
    }
  }

  // After the visit: report missing keys, keys of other kinds and unknown keys.
  void finish();

 private:
  struct Known {
    std::string name;
    bool applies = true;
    bool of_kind = false;      // only some kinds have it
    bool alternative = false;  // messages list it after "or"
  };

  template <class T>
  void read_table(const toml::table& table, T& value, std::string title, std::string path, Place place) {
    TableReader reader(reading_, table, std::move(title), std::move(path), std::move(place), depth_ + 1);
    fields(reader, value);
    reader.finish();
  }

  // The value of a node, or of its formulas; returns the problem.
  template <class T>
  std::string read(const toml::node& node, T& value, const FieldInfo& info) {
    constexpr bool no_number = std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                               std::is_same_v<T, std::vector<std::string>>;
    if constexpr (std::is_same_v<T, std::vector<std::string>>)
      if (info.formulas) {
        const std::string wrong = read_field(node, reading_.variables, value);
        return wrong.empty() ? wrong_value(value, info) : wrong;
      }
    if constexpr (no_number) {
      return read_value(node, value, info);
    } else if (has_formula(node)) {
      const Computed computed = compute(node, reading_.variables);
      return computed.wrong.empty() ? read_value(computed.value(), value, info) : computed.wrong;
    } else {
      const std::string wrong = read_value(node, value, info);
      return wrong.empty() ? wrong : wrong + formula_hint(node, reading_.variables);
    }
  }

  bool applies(const FieldInfo& info) const { return kind_in_doubt_ || (info.kinds & kind_); }
  bool required(const FieldInfo& info) const {
    return info.required == every_kind || (!kind_in_doubt_ && (info.required & kind_));
  }
  // Register `name` as a key of the table. Returns its value if it is given and applies.
  const toml::node* declare(const char* name, const FieldInfo& info, bool alternative = false);
  void report(const char* name, const std::string& wrong);
  void add_problem(const Place& place, const std::string& message);
  void resolve_file(const char* name, std::string& file);
  Place key_place(std::string_view name) const;
  std::string owner() const;

  Reading& reading_;
  const toml::table& table_;
  std::string title_;
  std::string path_;
  Place place_;
  int depth_;
  unsigned kind_ = every_kind;
  bool kind_in_doubt_ = false;
  std::string kind_word_;
  std::vector<Known> known_;
  std::vector<std::string> missing_;
};

}  // namespace coracle
