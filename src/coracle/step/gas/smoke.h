// Where smoke and heat come from and where they go.
#pragma once

#include "coracle/step/grid/projection.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/world.h"

namespace coracle {

// m, < 0 in solids; those that blow gas do not count.
void find_walls(const Surfaces& surfaces, const SolidField& field, Array3<double>& wall_phi);

// m³ of smoke of 1.
double total_smoke(const Grid& grid, const Array3<double>& volume, const Gas& gas);

// What flows with u during dt into the domain through the jets' mouths, less what leaves by open sides. m³ of smoke
double smoke_inflow(const ProjectionInput& in, const World& world);
// Gas that leaves by open sides less what enters there, m³/s.
double gas_outflow(const ProjectionInput& in, const FaceField<double>& u);

// Fill the jets' regions, let smoke and heat go; returns the smoke that regions which do not blow gave off less what
// decayed.
double feed_smoke(const Scene& scene, const SolidField& field, double dt, World& world);

// Cells in the jets' regions and two around them.
void mark_sources(const World& world, Array3<std::uint8_t>& near);

// Into solids, where the next step's interpolation looks for it; and what has no air around it is gone.
void spread_into_solids(const Array3<double>& wall_phi, Gas& gas);

// Bring all smoke to what is expected, by no more than the share `most` of it: what is too much is taken from all in
// proportion, what is missing is added where there is some already, and no cell gets denser than `densest`.
void settle_account(const Grid& grid, const Array3<double>& volume, double densest, double most, Gas& gas);

}  // namespace coracle
