#include "coracle/scene/expect.h"

#include "coracle/scene/nearest.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/table_reader.h"
#include "coracle/scene/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

bool applies(const Expectation& e, const ExpectContext& context) {
  const auto lists = [](const std::vector<std::string>& words, const std::string& word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  };
  return lists(e.presets, context.preset) && lists(e.methods, context.method);
}

// Rules that involve several fields.
void check(const Expectation& e, const ExpectContext& context, Reading& reading) {
  const auto problem = [&](const char* key, const std::string& message) {
    reading.problems.push_back({reading.places.find(e.place, key), message});
  };
  for (const std::string& preset : e.presets)
    if (std::find(context.presets.begin(), context.presets.end(), preset) == context.presets.end())
      problem("presets",
              fmt::format("the scene has no preset {}{}", in_quotes(preset), did_you_mean(preset, context.presets)));
  const auto methods = words(Method{});
  const std::vector<std::string> known(methods.begin(), methods.end());
  for (const std::string& method : e.methods)
    if (std::find(known.begin(), known.end(), method) == known.end())
      problem("methods", fmt::format("there is no method {}{}", in_quotes(method), did_you_mean(method, known)));
  if (!e.of.empty() && applies(e, context))
    if (const std::string wrong = context.wrong_path(e.of); !wrong.empty()) problem("of", wrong);
  if (reading.places.doubtful(e.place)) return;
  if (!e.at_least && !e.at_most) problem("", "an expectation needs 'at_least', 'at_most' or both");
  if (e.at_least && e.at_most && *e.at_least > *e.at_most)
    problem("at_most", fmt::format("'at_most' ({}) must not be below 'at_least' ({})", *e.at_most, *e.at_least));
  if (!(e.from < e.to)) problem("to", fmt::format("'to' ({} s) must come after 'from' ({} s)", e.to, e.from));
}

}  // namespace

std::string expect_file_of(const std::string& scene_file) {
  const std::filesystem::path path(scene_file);
  const std::string name = path.filename() == "scene.toml" ? "expect.toml" : path.stem().string() + ".expect.toml";
  return (path.parent_path() / name).string();
}

std::vector<Expectation> parse_expectations(const std::string& text, const std::string& name,
                                            const ExpectContext& context) {
  const toml::table root = parse_toml(text, name);
  Reading reading{name, std::filesystem::path(name).parent_path().string(), {}, {}};
  ExpectFile file;
  TableReader reader(reading, root, "the expectations", "", Place{name, 1, 1}, 0);
  fields(reader, file);
  reader.finish();
  for (const Expectation& e : file.all) check(e, context, reading);
  sort_problems(reading.problems);
  if (!reading.problems.empty()) throw SceneError(std::move(reading.problems));

  std::erase_if(file.all, [&](const Expectation& e) { return !applies(e, context); });
  for (Expectation& e : file.all) e.presets.clear(), e.methods.clear();
  return std::move(file.all);
}

}  // namespace coracle
