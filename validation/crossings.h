// Counts what passes through each other, by geometry alone: it shares nothing with the code of contact but the tree of
// boxes, so that it can judge it.
#pragma once

#include "coracle/world.h"

namespace coracle::validation {

// The number of pairs of an edge that crosses a triangle, and of segments of rods that are nearer than the sum of their
// radii. Over the skins of all bodies, with each other and with themselves, and over solids. Shells are their middle
// surface, rods their axis. Left out is what contact does not keep apart:
// - what shares a vertex, two prescribed parts, a rigid body and itself;
// - what is nearer along a shell or a rod than it can bend to touch itself, (π/2)(2 r + 0.1 edge), see docs/contact.md;
// - in the same range around a tied node, and its partner.
int crossings(const World& world);

}  // namespace coracle::validation
