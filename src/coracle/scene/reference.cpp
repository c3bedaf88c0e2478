#include "coracle/scene/reference.h"

#include "coracle/scene/tables.h"

#include <fmt/format.h>

namespace coracle {
namespace {

std::string number(double value) { return fmt::format("{:g}", value); }

std::string code(const std::string& text) { return "`" + text + "`"; }

template <class E>
std::string word_list(E value, unsigned bits) {
  std::string text;
  for (std::size_t k = 0; k < words(value).size(); ++k)
    if (bits & (1u << k)) text += (text.empty() ? "" : ", ") + code(words(value)[k]);
  return text;
}

// ---- Types and defaults

std::string type_of(double) { return "number"; }
std::string type_of(int) { return "integer"; }
std::string type_of(bool) { return "true or false"; }
std::string type_of(const std::string&) { return "text"; }
std::string type_of(const Vec3&) { return "3 numbers"; }
std::string type_of(const Vec3i&) { return "3 integers"; }
template <class E>
requires std::is_enum_v<E> std::string type_of(E value) { return word_list(value, every_kind); }
template <class T>
std::string type_of(const std::vector<T>&) {
  return "list of: " + type_of(T());
}

std::string default_of(double value) { return value >= 1e30 ? "no end" : code(number(value)); }
std::string default_of(int value) { return code(fmt::format("{}", value)); }
std::string default_of(bool value) { return code(value ? "true" : "false"); }
std::string default_of(const std::string& value) { return value.empty() ? "none" : code("\"" + value + "\""); }
std::string default_of(const Vec3& v) {
  return code(fmt::format("[{}, {}, {}]", number(v[0]), number(v[1]), number(v[2])));
}
std::string default_of(const Vec3i& v) { return code(fmt::format("[{}, {}, {}]", v[0], v[1], v[2])); }
template <class E>
requires std::is_enum_v<E> std::string default_of(E value) {
  return code(fmt::format("\"{}\"", words(value)[int(value)]));
}
template <class T>
std::string default_of(const std::vector<T>&) {
  return "none";
}

std::string range_of(const FieldInfo& info) {
  const FieldInfo any;
  std::string text;
  if (info.min > any.min) text += fmt::format(", {} {}", info.above ? "above" : "at least", number(info.min));
  constexpr double endless = 1e30;
  if (info.max != any.max && info.max < endless) text += fmt::format(", at most {}", number(info.max));
  if (info.nonzero) text += ", not zero";
  return text;
}

// ---- The sections

struct Row {
  std::string name, type, standard;  // standard: the default
  FieldInfo info;
};

// Writes the table of one struct; sections of the structs in it follow.
struct ReferenceWriter {
  std::string path;  // of this table, with a dot at its end; empty: the top level
  std::vector<Row> rows = {};
  std::string after = {};  // sections of the tables in this one
  unsigned all_kinds = every_kind;
  std::string (*words_of)(unsigned bits) = nullptr;  // the kinds by name

  void here(Place&) {}

  template <class E>
  void kind(const char* name, E&, const FieldInfo& info) {
    words_of = [](unsigned bits) { return word_list(E(), bits); };
    all_kinds = (1u << words(E()).size()) - 1;
    row(name, word_list(E(), every_kind), "required", info);
  }

  template <class T>
  void field(const char* name, T& value, const FieldInfo& info) {
    row(name, type(value, info), default_of(value), info);
  }
  template <class T>
  void field(const char* name, std::optional<T>&, const FieldInfo& info) {
    row(name, type(T{}, info), "none", info);
  }

  void corners(Vec3& center, Vec3&, const FieldInfo& info) {
    for (const char* name : {"min", "max"}) row(name, type(center, info), "none", info);
  }

  void parts(const char* name, std::vector<ShapeOptions>&, const FieldInfo& info) {
    row(name, "list of [shapes](#shapes)", "none", info);
  }

  template <class T>
  void table(const char* name, T& value, const char* doc) {
    section(fmt::format("[{}{}]", path, name), path + name, value, doc);
  }

  template <class T>
  void tables(const char* name, std::vector<T>&, const char* doc) {
    const std::string title = fmt::format("[[{}{}]]", path, name);
    if constexpr (std::is_same_v<T, MotionOptions>) {
      row(name, fmt::format("tables `{}` of a [motion](#motions)", title), "none", {.doc = doc});
    } else if constexpr (std::is_same_v<T, ShapeOptions>) {
      row(name, fmt::format("tables `{}` of a [shape](#shapes)", title), "none", {.doc = doc});
    } else {
      T value;
      section(title, path + name, value, doc);
    }
  }

  // All options of a struct, and then the sections inside it.
  template <class T>
  void section(const std::string& title, const std::string& name, T& value, const char* doc) {
    ReferenceWriter writer{name + "."};
    fields(writer, value);
    after += fmt::format("\n## `{}`: {}\n", title, doc) + example(name) + writer.finished() + writer.after;
  }

  static std::string example(std::string_view name) {
    const std::string_view toml = reference_example(name);
    return toml.empty() ? "" : fmt::format("\n```toml\n{}```\n", toml);
  }

  std::string finished() const {
    if (rows.empty()) return "";
    const bool kinds = words_of != nullptr;
    std::string text = fmt::format("\n| option |{} value | default | meaning |\n|--|{}--|--|--|\n",
                                   kinds ? " for |" : "", kinds ? "--|" : "");
    for (const auto& [name, type, standard, info] : rows) {
      const unsigned of = info.kinds & all_kinds, required = info.required & all_kinds;
      const std::string needed = required == 0    ? standard
                                 : required == of ? "required"
                                                  : standard + ", required for " + words_of(required);
      const std::string kind = !kinds ? "" : of == all_kinds ? " all |" : fmt::format(" {} |", words_of(of));
      text += fmt::format("| {} |{} {} | {} | {} |\n", code(name), kind, type, needed, info.doc);
    }
    return text;
  }

  template <class T>
  static std::string type(const T& value, const FieldInfo& info) {
    std::string text = info.formulas ? "3 formulas of x, y, z"
                       : info.file   ? "path of a file"
                       : info.name   ? "name: letters, digits, _ and -"
                                     : type_of(value);
    if (*info.unit) text += fmt::format(" in {}", info.unit);
    return text + range_of(info);
  }

  void row(const char* name, const std::string& type, const std::string& standard, const FieldInfo& info) {
    rows.push_back({name, type, standard, info});
  }
};

// Shapes have a section of their own.
void fields(ReferenceWriter& v, ShapeOptions&) {
  v.row("shape", "a [shape](#shapes) and its options", "required", {.doc = "where, or what form"});
}

template <class T>
std::string section_of(const char* title, const char* example, const char* doc) {
  ReferenceWriter writer{""};
  T value;
  coracle::fields(writer, value);  // also for shapes: the table itself
  return fmt::format("\n## {}\n\n{}\n", title, doc) + ReferenceWriter::example(example) + writer.finished() +
         writer.after;
}

}  // namespace

std::string scene_reference() {
  std::string text(reference_opening());
  text += section_of<Scene>("The top level", "top", "Before the first table of the file.");
  text += section_of<ShapeOptions>("Shapes", "shape",
                                   "Wherever a table has a `shape`, these options stand in the same table. Those of "
                                   "another kind of shape are refused.");
  text += section_of<MotionOptions>("Motions", "motion",
                                    "Of solids, and of the held parts of bodies. Several are applied one after "
                                    "another, in the order of the file.");
  text += section_of<ExpectFile>("What a run must meet: `expect.toml`", "",
                                 "A file of its own, beside the scene. `coracle run` and `coracle info` judge it.");
  text += reference_closing();
  return text;
}

}  // namespace coracle
