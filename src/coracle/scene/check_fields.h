// Rules for single fields, for a scene built in code.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"

#include <functional>
#include <string>
#include <vector>

namespace coracle {

// Check every field against its table (scene/tables.h), as the reader of files does. The places in the scene become the
// paths of its options, "body[0].young". As after reading, `places` knows which fields are doubtful, and fields that do
// not apply to a kind are removed, so that the rules of several fields can be checked next.
std::vector<Problem> check_fields(Scene& scene, KeyPlaces& places);

// Calls f(path) for every file that the scene names; f may change the path.
void for_each_file(Scene& scene, const std::function<void(std::string&)>& f);
// Make the paths of all files absolute, seen from the working directory.
void make_files_absolute(Scene& scene);

}  // namespace coracle
