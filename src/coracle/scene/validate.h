// Rules that involve several fields.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"

namespace coracle {

// For a scene whose single fields were checked. `places` has the place of each field and which are doubtful.
std::vector<Problem> cross_field_problems(const Scene& scene, const KeyPlaces& places);

}  // namespace coracle
