// Markers of liquid stay in the domain and out of solids.
#pragma once

#include "coracle/step/grid/solid_field.h"
#include "coracle/world.h"

#include <span>
#include <vector>

namespace coracle {

// The nearest point in the domain that does not lie on its sides.
Vec3 kept_inside(const Grid& grid, const Vec3& x);

// Put places that are inside a solid back onto its surface, on the side where they were at x_before, a time dt ago.
// Returns how many.
std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, std::vector<Vec3>& places);

// Remove the particles for which `gone` says so; returns how many.
std::size_t remove_particles(Particles& particles, const std::vector<std::uint8_t>& gone);
// Remove a few, given in increasing order: the last ones take their places.
void remove_particles(Particles& particles, std::span<const std::uint32_t> gone);

}  // namespace coracle
