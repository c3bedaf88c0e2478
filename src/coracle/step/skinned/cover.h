// Where a skin lies inside another solid there is no room for a film: such triangles are covered. Nothing flows onto
// them, and what they hold when they become so leaves as drops, which are put outside at once (drops.h).
#pragma once

#include "coracle/step/skinned/exchange.h"

namespace coracle {

// Fills in frame.covered. `surface`: the skin's own number among the surfaces.
void find_covered(const Surroundings& around, std::size_t surface, const SkinMotion& motion, SkinFrame& frame);

void release_covered(const SkinMotion& motion, const SkinFrame& frame, Film& film, Drops& drops);

}  // namespace coracle
