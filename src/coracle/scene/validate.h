// Rules that several fields share.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"

namespace coracle {

// Of a scene whose single fields were judged already; `places` says where each stood and which are in doubt.
std::vector<Problem> cross_field_problems(const Scene& scene, const KeyPlaces& places);

}  // namespace coracle
