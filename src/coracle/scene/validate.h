// Rules that several fields share.
#pragma once

#include "coracle/scene/places.h"
#include "coracle/scene/scene.h"

namespace coracle {

// As validate(scene), pointing at the keys themselves.
std::vector<Problem> validate(const Scene& scene, const KeyPlaces& places);

}  // namespace coracle
