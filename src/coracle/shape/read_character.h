// Characters from files: glTF with a skin and clips, or a sequence of OBJ files.
#pragma once

#include "coracle/character.h"

#include <string>
#include <vector>

namespace coracle {

// Whether a mesh of this file can be animated, and by what. Files that cannot be read are still.
bool is_sequence(const std::string& file);  // "walk_####.obj": the # stand for digits, and no file has this very name
bool has_skin(const std::string& file);     // a glTF file with bones
std::vector<std::string> clip_names(const std::string& file);  // of a glTF file, in its order

// Throw std::runtime_error with a reason, as read_tri_mesh() does. Vertices that the file has several times, for their
// normals and textures, become one, with the mean of their weights.
Character read_skin(const std::string& file, const std::string& clip);
// All files of the sequence in the order of their numbers, at `fps` of them a second. They differ in places alone.
Character read_sequence(const std::string& pattern, double fps);
std::vector<std::string> files_of_sequence(const std::string& pattern);  // existing ones, in the order of their numbers

}  // namespace coracle
