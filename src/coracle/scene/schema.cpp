// The JSON schema of scene files, for editors that check while the user types.
#include "coracle/scene/tables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* formula = "^=";  // a string that gives a number

void add_range(Json& number, const FieldInfo& info) {
  if (info.min > FieldInfo().min) number[info.above ? "exclusiveMinimum" : "minimum"] = info.min;
  if (info.max < FieldInfo().max) number["maximum"] = info.max;
}

Json type_of(double, const FieldInfo& info) {
  Json j = {{"type", {"number", "string"}}, {"pattern", formula}};
  add_range(j, info);
  return j;
}
Json type_of(int, const FieldInfo& info) {
  Json j = {{"type", {"integer", "string"}}, {"pattern", formula}};
  add_range(j, info);
  return j;
}
Json type_of(bool, const FieldInfo&) { return {{"type", "boolean"}}; }
Json type_of(const std::string&, const FieldInfo& info) {
  Json j = {{"type", "string"}};
  if (info.name) j["pattern"] = "^[A-Za-z0-9_-]{1,64}$";
  return j;
}
Json type_of(const Vec3&, const FieldInfo& info) {
  return {{"type", "array"}, {"items", type_of(0.0, info)}, {"minItems", 3}, {"maxItems", 3}};
}
Json type_of(const Vec3i&, const FieldInfo& info) {
  return {{"type", "array"}, {"items", type_of(0, info)}, {"minItems", 3}, {"maxItems", 3}};
}
template <class E>
requires std::is_enum_v<E> Json type_of(E value, const FieldInfo&) {
  Json j = {{"type", "string"}, {"enum", Json::array()}};
  for (const char* word : words(value)) j["enum"].push_back(word);
  return j;
}
Json type_of(const std::vector<std::string>&, const FieldInfo& info) {
  if (info.formulas)
    return {{"type", "array"}, {"items", {{"type", {"number", "string"}}}}, {"minItems", 3}, {"maxItems", 3}};
  return {{"type", "array"}, {"items", {{"type", "string"}}}};
}
template <class T>
Json type_of(const std::vector<T>&, const FieldInfo& info) {
  return {{"type", "array"}, {"items", type_of(T(), info)}};
}

Json value_of(const Vec3& v) { return {v[0], v[1], v[2]}; }
Json value_of(const Vec3i& v) { return {v[0], v[1], v[2]}; }
template <class T>
Json value_of(const std::vector<T>&) {
  return Json::array();
}
template <class T>
Json value_of(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return words(value)[int(value)];
  else
    return value;
}

Json empty_object() { return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}}; }

struct SchemaWriter {
  bool partial = false;  // a preset: any key may be omitted; array entries may be selected by index or name
  Json schema = empty_object();
  std::string kind_name = {};
  Words kind_words = {};
  std::vector<std::pair<std::string, FieldInfo>> listed = {};

  void here(Place&) {}

  template <class E>
  void kind(const char* name, E& value, const FieldInfo& info) {
    field(name, value, info);
    kind_name = name;
    kind_words = words(value);
  }

  template <class T>
  void field(const char* name, T& value, const FieldInfo& info) {
    Json j = type_of(value, info);
    if (!info.required && !partial) j["default"] = value_of(value);
    add(name, std::move(j), info);
  }

  template <class T>
  void field(const char* name, std::optional<T>&, const FieldInfo& info) {
    add(name, type_of(T{}, info), info);
  }

  void corners(Vec3& center, Vec3&, const FieldInfo& info) {
    for (const char* name : {"min", "max"}) add(name, type_of(center, info), info);
  }

  void parts(const char* name, std::vector<ShapeOptions>&, const FieldInfo& info) {
    add(name, {{"type", "array"}, {"items", {{"$ref", "#/$defs/shape"}}}, {"minItems", 1}}, info);
  }

  template <class T>
  void table(const char* name, T& value, const char* doc) {
    SchemaWriter sub{partial};
    fields(sub, value);
    add(name, sub.finished(), {.doc = doc});
  }

  template <class T>
  void tables(const char* name, std::vector<T>&, const char* doc) {
    SchemaWriter sub, entry{true};
    T value;
    fields(sub, value);
    if (partial) fields(entry, value);
    add_tables(name, sub.finished(), entry.finished(), doc);
  }

  // Add what depends on the kind: one if-then per word.
  Json finished() {
    if (partial) return std::move(schema);
    for (const auto& [name, info] : listed)
      if (info.required == every_kind) schema["required"].push_back(name);
    for (std::size_t k = 0; k < kind_words.size(); ++k) {
      Json then = Json::object();
      for (const auto& [name, info] : listed) {
        if (!(info.kinds & (1u << k))) then["properties"][name] = false;
        if (info.required != every_kind && (info.required & (1u << k))) then["required"].push_back(name);
      }
      if (then.contains("required") && schema["properties"].contains("size") && std::string(kind_words[k]) == "box") {
        then["anyOf"] = {{{"required", {"center", "size"}}}, {{"required", {"min", "max"}}}};
        then.erase("required");
      }
      const Json is_kind = {{"properties", {{kind_name, {{"const", kind_words[k]}}}}}, {"required", {kind_name}}};
      schema["allOf"].push_back({{"if", is_kind}, {"then", then}});
    }
    return std::move(schema);
  }

 private:
  void add_tables(const char* name, const Json& whole, const Json& entry, const char* doc) {
    const Json array = {{"type", "array"}, {"items", whole}};
    if (!partial) return add(name, array, {.doc = doc});
    const Json entries = {{"type", "object"}, {"additionalProperties", entry}};
    add(name, {{"anyOf", {array, entries}}}, {.doc = doc});
  }

  void add(const char* name, Json j, const FieldInfo& info) {
    const std::string doc = *info.unit ? fmt::format("{}{}[{}]", info.doc, *info.doc ? " " : "", info.unit) : info.doc;
    if (!doc.empty()) j["description"] = doc;
    schema["properties"][name] = std::move(j);
    listed.emplace_back(name, info);
  }
};

}  // namespace

std::string scene_schema() {
  SchemaWriter writer, shape_writer, preset_writer{true};
  Scene scene;
  fields(writer, scene);
  fields(preset_writer, scene);
  ShapeOptions shape;
  fields(shape_writer, shape);

  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "coracle scene"}};
  schema.update(writer.finished());
  schema["$defs"]["shape"] = shape_writer.finished();

  // In a scene `preset` is a table of presets; in the scene of a run it is the name of the preset in use.
  Json one = preset_writer.finished();
  one["properties"].erase("preset");
  schema["$defs"]["preset"] = std::move(one);
  Json& preset = schema["properties"]["preset"];
  const Json name = {{"type", "string"}, {"pattern", preset["pattern"]}};
  const Json presets = {{"type", "object"}, {"additionalProperties", {{"$ref", "#/$defs/preset"}}}};
  preset = {{"description", "[preset.NAME]: changes that --preset NAME makes; in a run's scene, the name taken"},
            {"anyOf", {presets, name}}};

  // What is resolved before the table of fields is read.
  Json& top = schema["properties"];
  top["include"] = {{"type", "array"},
                    {"items", {{"type", "string"}}},
                    {"description", "other scene files, relative to this one, under what this one says"}};
  top["variables"] = {{"type", "object"},
                      {"additionalProperties", type_of(0.0, FieldInfo{})},
                      {"description", "numbers that formulas use by name: \"=2*radius\""}};
  schema["$defs"]["preset"]["properties"]["variables"] = top["variables"];
  return schema.dump(2) + "\n";
}

}  // namespace coracle
