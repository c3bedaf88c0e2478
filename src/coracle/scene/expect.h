// What a scene is expected to do: expect.toml, beside its scene.toml. Physical claims as bounds on what a run measures,
// each with its reason. scene/tables.h defines the names, units and docs of the fields.
#pragma once

#include "coracle/error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

// One number of a series in time.
enum class Take { max, min, mean, first, last, range, change, ratio, count_above };

inline constexpr double no_end = 1e30;  // s

struct Expectation {
  Place place;
  std::string claim;  // in words
  std::string of;     // paths into a line of stats.jsonl: "a", "a / b" or "a - b" (out/judge.h)
  Take take = Take::last;
  double above = 0;              // count_above: counts the steps with a larger value
  double from = 0, to = no_end;  // s, of the steps that count
  std::optional<double> at_least, at_most;
  std::vector<std::string> presets;  // to which it applies; empty: all
  std::vector<std::string> methods;  // likewise
  std::string reason;                // why it must hold, with its source
};

struct ExpectFile {
  Place place;
  std::vector<Expectation> all;
};

// The file of a scene's expectations: expect.toml beside scene.toml, NAME.expect.toml beside any other NAME.toml.
std::string expect_file_of(const std::string& scene_file);

struct ExpectContext {
  std::string preset;                // of the run; only expectations for it are kept
  std::vector<std::string> presets;  // of the scene
  // The problem of an `of`; empty if there is none.
  std::function<std::string(const std::string&)> wrong_path;
  std::string method = "";  // of the run; likewise
};

// The expectations for the preset and the method of the context, with `presets` and `methods` emptied. Throws
// SceneError with every problem found.
std::vector<Expectation> parse_expectations(const std::string& text, const std::string& name,
                                            const ExpectContext& context);
std::string to_toml(const std::vector<Expectation>& expectations);

}  // namespace coracle
