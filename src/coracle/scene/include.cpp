#include "coracle/scene/include.h"

#include "coracle/scene/merge.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/parse_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace coracle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 100;  // that a scene may include

// Different spellings of one path are the same file.
std::string identity(const std::string& file) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(fs::absolute(file, ignored), ignored);
  return path.empty() ? file : path.string();
}

[[noreturn]] void refuse(const Place& place, const std::string& why) { throw SceneError({{place, why}}); }

}  // namespace

// The files that are being read, each included by the one before it, and all that were read.
struct SceneText::Chain {
  std::vector<std::string> open, shown;  // identities, and as messages name them
  std::set<std::string> seen;
};

const std::string& SceneText::text_of(const std::string& file, const Place& asked) {
  const auto [it, added] = included_.try_emplace(file);
  if (!added) return it->second;
  try {
    it->second = read_toml_text(file);
  } catch (const SceneError& error) {
    included_.erase(it);
    refuse(asked, fmt::format("cannot include {}: {}", in_quotes(file), error.problems.front().message));
  }
  return it->second;
}

toml::table SceneText::parse_file(const std::string& text, const std::string& file, Chain& chain, Reading& reading) {
  toml::table own = parse_toml(text, file);
  const auto entry = own.find("include");
  if (entry == own.end()) return own;
  const Place here = place_of(entry->first, entry->second, reading);
  const toml::array* list = entry->second.as_array();
  const std::string expected = "an array of file names, such as [\"tank.toml\"]";
  if (!list) refuse(here, "'include' " + wrong_type(entry->second, expected));

  chain.open.push_back(identity(file));
  chain.shown.push_back(file);
  toml::table all;
  for (const toml::node& node : *list) {
    const Place place = reading.place(node.source());
    if (!node.is_string()) refuse(place, "'include' " + wrong_type(*list, expected));
    const std::string other = (fs::path(file).parent_path() / node.as_string()->get()).lexically_normal().string();
    const std::string id = identity(other);
    if (const auto open = std::find(chain.open.begin(), chain.open.end(), id); open != chain.open.end())
      refuse(place,
             fmt::format("the files include each other in a circle: {}, {}; take one include out",
                         fmt::join(chain.shown.begin() + (open - chain.open.begin()), chain.shown.end(), ", "), other));
    if (!chain.seen.insert(id).second) continue;
    if (chain.seen.size() > most_files) refuse(place, fmt::format("more than {} included files", most_files));
    toml::table included = parse_file(text_of(other, place), other, chain, reading);
    merge(all, included, Lists::append, reading);
  }
  chain.open.pop_back();
  chain.shown.pop_back();
  own.erase("include");
  merge(all, own, Lists::append, reading);
  return all;
}

toml::table SceneText::parse(Reading& reading) {
  Chain chain;
  return parse_file(text_, name_, chain, reading);
}

toml::table SceneText::parse() {
  Reading reading{name_, fs::path(name_).parent_path().string(), {}, {}};
  return parse(reading);
}

}  // namespace coracle
