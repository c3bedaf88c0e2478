// The reference of scene files, docs/scenes.md: every option, from the table of fields, with examples.
#pragma once

#include <string>
#include <string_view>

namespace coracle {

// As Markdown.
std::string scene_reference();

// Its text that does not come from the table of fields.
std::string_view reference_opening();                       // before the tables: conventions, includes, variables
std::string_view reference_example(std::string_view name);  // TOML for a section, such as "liquid"; empty if none
std::string_view reference_closing();                       // after the tables: files of meshes, changes of a run

}  // namespace coracle
