#include "coracle/scene/table_reader.h"

#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

std::string with_article(const std::string& word) {
  return (std::string("aeio").find(word[0]) != std::string::npos ? "an " : "a ") + word;
}

}  // namespace

Place Reading::place(const toml::source_region& source) const {
  if (source.path && source.path->starts_with("--set ")) return {*source.path, 0, 0};
  if (!source.begin) return {file, 1, 1};
  return {source.path ? *source.path : file, int(source.begin.line), int(source.begin.column)};
}

void sort_problems(std::vector<Problem>& problems) {
  const auto key = [](const Problem& p) {
    return std::tuple(p.place.line == 0, p.place.file, p.place.line, p.place.column);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
}

Place TableReader::key_place(std::string_view name) const {
  const auto it = table_.find(name);
  if (it == table_.end()) return place_;
  const toml::source_region& key = it->first.source();
  return reading_.place(key.begin || key.path ? key : it->second.source());
}

// "a box", or the title of the table if it has no kind.
std::string TableReader::owner() const { return kind_word_.empty() ? title_ : with_article(kind_word_); }

const toml::node* TableReader::declare(const char* name, const FieldInfo& info, bool alternative) {
  known_.push_back({name, applies(info), info.kinds != every_kind, alternative});
  const toml::node* node = table_.get(name);
  if (!node && required(info)) missing_.push_back(name);
  if (!node || !applies(info)) return nullptr;
  reading_.places.add(place_, name, key_place(name));
  return node;
}

void TableReader::report(const char* name, const std::string& wrong) {
  if (wrong.empty()) return;
  reading_.problems.push_back({key_place(name), fmt::format("'{}' {}", name, wrong)});
  reading_.places.doubt(place_, name);
}

void TableReader::add_problem(const Place& place, const std::string& message) {
  reading_.problems.push_back({place, message});
  reading_.places.doubt(place_);
}

void TableReader::resolve_file(const char* name, std::string& file) {
  if (file.empty()) return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const Place place = key_place(name);
  const fs::path folder = place.line > 0 ? fs::path(place.file).parent_path() : fs::path(reading_.folder);
  const fs::path absolute = fs::absolute(folder / file, ignored).lexically_normal();
  report(name, wrong_file(absolute, file));
  file = absolute.string();
}

void TableReader::corners(Vec3& center, Vec3& size, const FieldInfo& info) {
  const toml::node* low = declare("min", info, true);
  const toml::node* high = declare("max", info);
  if (!low && !high) return;
  std::erase(missing_, "center");
  std::erase(missing_, "size");
  if (!low) missing_.push_back("min");
  if (!high) missing_.push_back("max");
  for (const char* other : {"center", "size"})
    if (table_.contains(other)) report(other, "cannot stand beside 'min' and 'max'; give one or the other");
  if (!low || !high) return;
  Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();
  const std::string wrong_low = read(*low, lo, info), wrong_high = read(*high, hi, info);
  report("min", wrong_low);
  report("max", wrong_high);
  if (!wrong_low.empty() || !wrong_high.empty()) return;
  if (!(lo.array() < hi.array()).all()) return report("max", "must be above 'min' in x, y and z");
  center = 0.5 * (lo + hi);
  size = hi - lo;
}

void TableReader::parts(const char* name, std::vector<ShapeOptions>& parts, const FieldInfo& info) {
  const toml::node* node = declare(name, info);
  if (!node) return;
  const std::string expected = "an array of shapes, such as [{shape = \"sphere\", ...}]";
  const toml::array* array = node->as_array();
  if (!array) return report(name, wrong_type(*node, expected));
  if (const std::string wrong = wrong_parts(array->size(), depth_); !wrong.empty()) return report(name, wrong);
  for (const toml::node& element : *array) {
    const toml::table* sub = element.as_table();
    if (!sub) {
      report(name, wrong_type(element, expected));
      continue;
    }
    parts.emplace_back();
    read_table(*sub, parts.back(), "a part", path_, reading_.place(sub->source()));
  }
}

// What replaces an option of earlier versions; empty for others.
static std::string where_moved(const std::string& title, std::string_view name) {
  if (title != "[elastic]") return "";
  if (name == "contact") return "write [contact] with kind = 'none' in place of false";
  if (name == "gap") return "write [contact] with distance, in m";
  return "";
}

void TableReader::finish() {
  for (const std::string& name : missing_) add_problem(place_, fmt::format("{} needs '{}'", owner(), name));

  std::vector<std::string> names;  // allowed keys
  std::string takes;               // those of this kind
  for (const Known& k : known_) {
    if (!k.applies) continue;
    names.push_back(k.name);
    if (k.of_kind) takes += (takes.empty() ? "" : k.alternative ? " or " : ", ") + k.name;
  }
  for (const auto& [key, node] : table_) {
    const std::string_view name = key.str();
    const auto known = std::find_if(known_.begin(), known_.end(), [name](const Known& k) { return k.name == name; });
    if (known != known_.end() && known->applies) continue;
    std::string message;
    if (known != known_.end())
      message = fmt::format("{} has no '{}'{}{}", owner(), known->name, takes.empty() ? "" : "; it takes ", takes);
    else if (const std::string moved = where_moved(title_, name); !moved.empty())
      message = fmt::format("'{}' is no longer in {}: {}", name, title_, moved);
    else if (path_.empty())
      message = fmt::format("unknown key {} at the top level{}", in_quotes(key.str()), did_you_mean(key.str(), names));
    else
      message = fmt::format("unknown key {} in {}{}", in_quotes(key.str()), title_, did_you_mean(key.str(), names));
    add_problem(key_place(key.str()), message);
  }
}

}  // namespace coracle
