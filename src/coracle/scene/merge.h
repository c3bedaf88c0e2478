// One TOML table over another, without loss of the places in their files.
#pragma once

#include "coracle/scene/table_reader.h"

namespace coracle {

enum class Lists { replace, append };  // what a list of tables does to one of the same name

// Tables merge by key; entries of arrays are selected by index or name, as in --set: `body.0.cells = [2, 8, 2]`;
// everything else is replaced. Moves out of `from`: in toml++ a copied node loses its place.
void merge(toml::table& into, toml::table& from, Lists lists, Reading& reading);

// The place of a key, or of its value if the key has none.
Place place_of(const toml::key& key, const toml::node& node, const Reading& reading);

}  // namespace coracle
