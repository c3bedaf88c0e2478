// Solids whose meshes are animated.
#pragma once

#include "coracle/character.h"
#include "coracle/scene.h"

namespace coracle {

// A skin takes the only clip of its file, if the scene does not name one.
void choose_clip(SolidOptions& solid);

bool is_animated(const SolidOptions& solid);
bool moves(const SolidOptions& solid);  // is animated, or has motions
Playback playback_of(const SolidOptions& solid);
// Read from its file, then scaled, rotated and shifted. Throws std::runtime_error with a reason.
Character read_character(const SolidOptions& solid);
// The mesh of an animated solid at time zero, without its motions.
TriMesh first_pose(const SolidOptions& solid);

}  // namespace coracle
