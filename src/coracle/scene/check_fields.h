// Rules of single fields, for a scene built in code.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"

#include <vector>

namespace coracle {

// Hold every field to what its table says of it (scene/tables.h), as the reader of files does. The scene's places
// become the paths of its options, "body[0].young". As after reading, `places` knows what is in doubt, and what a kind
// does not have is gone, so that rules that several fields share can follow.
std::vector<Problem> check_fields(Scene& scene, KeyPlaces& places);

}  // namespace coracle
