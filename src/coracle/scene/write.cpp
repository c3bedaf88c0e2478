// A scene or its expectations as TOML, including all defaults. Reading it again gives the same scene to the last bit.
#include "coracle/scene/write.h"

#include "coracle/scene/tables.h"

#include <fmt/format.h>

namespace coracle {

std::string toml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      escaped += std::string("\\") + c;
    else if ((c >= 0 && c < 32) || c == 127)
      escaped += fmt::format("\\u{:04x}", int(c));
    else
      escaped += c;
  }
  return escaped;
}

namespace {

std::string text_of(double value) {
  std::string text = fmt::format("{}", value);  // shortest text that reads back to the same bits
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return "\"" + toml_escaped(value) + "\""; }
std::string text_of(const Vec3i& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }
std::string text_of(const Vec3& v) { return fmt::format("[{}, {}, {}]", text_of(v[0]), text_of(v[1]), text_of(v[2])); }
template <class E>
requires std::is_enum_v<E> std::string text_of(E value) { return fmt::format("\"{}\"", words(value)[int(value)]); }
template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + text_of(value);
  return "[" + text + "]";
}

// Writes the keys of one table to `text`. Its sub-tables must come after all keys, wherever the visitor meets them: in
// TOML a key belongs to the last heading before it. They wait in `sub_tables`. An inline table, {a = 1, b = 2}, has
// none.
struct TableWriter {
  std::string& text;
  std::string path;
  bool is_inline = false;
  unsigned kind_bits = every_kind;
  bool first = true;
  std::string sub_tables = "";

  void here(Place&) {}

  template <class E>
  void kind(const char* name, E& value, const FieldInfo& info) {
    field(name, value, info);
    kind_bits = only(value);
  }

  template <class T>
  void field(const char* name, T& value, const FieldInfo& info) {
    if (!(info.kinds & kind_bits)) return;
    if constexpr (std::is_same_v<T, std::string>)
      if (value.empty() && info.name) return;  // no name was given
    line(name, text_of(value), info.unit);
  }
  template <class T>
  void field(const char* name, std::optional<T>& value, const FieldInfo& info) {
    if (value) field(name, *value, info);
  }
  void field(const char* name, std::vector<std::string>& value, const FieldInfo&) {
    if (!value.empty()) line(name, text_of(value), "");
  }

  void corners(Vec3&, Vec3&, const FieldInfo&) {}

  void parts(const char* name, std::vector<ShapeOptions>& parts, const FieldInfo& info) {
    if (!(info.kinds & kind_bits)) return;
    std::string all;
    for (ShapeOptions& part : parts) {
      std::string inside;
      TableWriter writer{inside, "", true};
      fields(writer, part);
      all += (all.empty() ? "{" : ", {") + inside + "}";
    }
    line(name, "[" + all + "]", "");
  }

  template <class T>
  void table(const char* name, T& value, const char*) {
    sub_tables += fmt::format("\n[{}{}]\n", path, name);
    sub_table(name, value);
  }

  template <class T>
  void tables(const char* name, std::vector<T>& values, const char*) {
    for (T& value : values) {
      sub_tables += fmt::format("\n[[{}{}]]\n", path, name);
      sub_table(name, value);
    }
  }

  // The keys of a table and then its sub-tables.
  template <class T>
  static std::string text_of_table(T& value, const std::string& path) {
    std::string keys;
    TableWriter writer{keys, path};
    fields(writer, value);
    return keys + writer.sub_tables;
  }

 private:
  template <class T>
  void sub_table(const char* name, T& value) {
    sub_tables += text_of_table(value, path + name + ".");
  }

  void line(const char* name, const std::string& value, const char* unit) {
    if (is_inline)
      text += fmt::format("{}{} = {}", first ? "" : ", ", name, value);
    else
      text += fmt::format("{} = {}{}{}\n", name, value, *unit ? "  # " : "", unit);
    first = false;
  }
};

}  // namespace

std::string to_toml(const Scene& scene) {
  Scene copy = scene;  // the visitors take mutable references, which readers need
  return TableWriter::text_of_table(copy, "");
}

std::string to_toml(const std::vector<Expectation>& expectations) {
  ExpectFile file{{}, expectations};
  return TableWriter::text_of_table(file, "");
}

}  // namespace coracle
