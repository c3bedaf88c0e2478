// Drops: liquid between skin and bulk, each smaller than a particle of the bulk. They fly freely, slide along what they
// hit, and merge where they meet liquid or lie on something. A particle's volume of them becomes a particle.
#pragma once

#include "coracle/skinned.h"
#include "coracle/step/skinned/surroundings.h"
#include "coracle/world.h"

namespace coracle {

// Drops without volume go.
void remove_empty(Drops& drops);

// Fast ones in pieces of half a cell, so that they do not pass thin solids.
void move_drops(const Surroundings& around, const Vec3& gravity, double dt, Drops& drops);

// New drops, from `first` on, may begin outside the domain or in a solid: they are moved to the nearest place where
// they can be.
void put_outside(const Surroundings& around, double dt, std::size_t first, Drops& drops);

// Drops in one cell merge if the cell lies in the bulk, or if they lie on a wall or a solid there. Whole particles go
// to the bulk; one drop is left.
void merge_drops(const Surroundings& around, Drops& drops, Particles& bulk);

}  // namespace coracle
