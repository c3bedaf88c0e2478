#include "coracle/scene/check_fields.h"

#include "coracle/scene/rules.h"
#include "coracle/scene/tables.h"

#include <fmt/format.h>

namespace coracle {
namespace {

// The fields of one table, and of the tables in it.
struct FieldChecker {
  std::vector<Problem>& problems;
  KeyPlaces& places;
  std::string path;  // of the table; empty: the scene's own
  int depth = 0;
  unsigned kind_bits = every_kind;

  void here(Place& place) { place = table_place(); }

  template <class E>
  void kind(const char* name, E& value, const FieldInfo& info) {
    kind_bits = field(name, value, info) ? only(value) : 0;
  }

  // Whether the field is valid.
  template <class T>
  bool field(const char* name, T& value, const FieldInfo& info) {
    if (!applies(info)) return true;
    places.add(table_place(), name, key_place(name));
    std::string wrong = wrong_value(value, info);
    if constexpr (std::is_same_v<T, std::string>)
      if (wrong.empty() && info.file && !value.empty()) wrong = wrong_file(value, value);
    report(name, wrong);
    // As in the reader of files: invalid names and unknown words are not kept.
    if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>)
      if (!wrong.empty()) value = T();
    return wrong.empty();
  }

  void corners(Vec3&, Vec3&, const FieldInfo&) {}

  void parts(const char* name, std::vector<ShapeOptions>& parts, const FieldInfo& info) {
    const std::string wrong = applies(info) ? wrong_parts(parts.size(), depth) : "";
    report(name, wrong);
    if (!applies(info) || !wrong.empty()) parts.clear();
    tables(name, parts, info.doc);
  }

  template <class T>
  void table(const char* name, T& value, const char*) {
    check(key_path(name), value);
  }

  template <class T>
  void tables(const char* name, std::vector<T>& values, const char*) {
    for (std::size_t i = 0; i < values.size(); ++i) check(fmt::format("{}[{}]", key_path(name), i), values[i]);
  }

 private:
  // If the kind is unknown, only the fields of every kind apply.
  bool applies(const FieldInfo& info) const { return info.kinds == every_kind || (info.kinds & kind_bits); }
  std::string key_path(const char* name) const { return path.empty() ? name : path + "." + name; }
  Place key_place(const char* name) const { return {key_path(name), 0, 0}; }
  Place table_place() const { return {path, 0, 0}; }

  template <class T>
  void check(const std::string& sub_path, T& value) {
    FieldChecker checker{problems, places, sub_path, depth + 1};
    fields(checker, value);
  }

  void report(const char* name, const std::string& wrong) {
    if (wrong.empty()) return;
    problems.push_back({key_place(name), fmt::format("'{}' {}", name, wrong)});
    places.doubt(table_place(), name);
  }
};

// Visits the tables for the fields that are paths of files.
struct FileVisitor {
  const std::function<void(std::string&)>& visit;

  void here(Place&) {}
  template <class E>
  void kind(const char*, E&, const FieldInfo&) {}
  template <class T>
  void field(const char*, T& value, const FieldInfo& info) {
    if constexpr (std::is_same_v<T, std::string>)
      if (info.file && !value.empty()) visit(value);
  }
  void corners(Vec3&, Vec3&, const FieldInfo&) {}
  void parts(const char* name, std::vector<ShapeOptions>& parts, const FieldInfo& info) {
    tables(name, parts, info.doc);
  }
  template <class T>
  void table(const char*, T& value, const char*) {
    fields(*this, value);
  }
  template <class T>
  void tables(const char*, std::vector<T>& values, const char*) {
    for (T& value : values) fields(*this, value);
  }
};

}  // namespace

void for_each_file(Scene& scene, const std::function<void(std::string&)>& f) {
  FileVisitor visitor{f};
  fields(visitor, scene);
}

void make_files_absolute(Scene& scene) {
  for_each_file(scene, [](std::string& path) { path = std::filesystem::absolute(path).lexically_normal().string(); });
}

std::vector<Problem> check_fields(Scene& scene, KeyPlaces& places) {
  std::vector<Problem> problems;
  FieldChecker checker{problems, places, ""};
  fields(checker, scene);
  return problems;
}

}  // namespace coracle
