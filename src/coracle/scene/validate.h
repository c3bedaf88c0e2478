// Rules that several fields share.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"

namespace coracle {

// As validate(scene), pointing at the keys themselves.
std::vector<Problem> validate(const Scene& scene, const KeyPlaces& places);

}  // namespace coracle
