// Presets: [preset.NAME] tables in a scene file. One of them may be merged over the rest before the scene is read.
// It is merged as scene/merge.h says; lists of tables are replaced. Without a preset the scene is read as written; this
// is called `preview` unless [preset.preview] exists.
#pragma once

#include "coracle/scene/table_reader.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace coracle {

inline constexpr const char* as_written = "preview";

// What --preset accepts: `preview` first, then the tables in the order of the file. Empty if there are no tables.
std::vector<std::string> preset_names(const toml::table& root);
// Only the tables.
std::vector<std::string> preset_tables(const toml::table& root);

// File, line and column of everything in a preset's table.
using PresetPlaces = std::set<std::tuple<std::string, int, int>>;

// Remove the presets from `root`, merge the preset `name` ("": none) into it and store its name as `preset`.
PresetPlaces apply_preset(toml::table& root, const std::string& name, Reading& reading);

}  // namespace coracle
