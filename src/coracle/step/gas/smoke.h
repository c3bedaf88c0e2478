// Sources and losses of smoke and heat.
#pragma once

#include "coracle/step/gas/jets.h"
#include "coracle/step/grid/projection.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/world.h"

namespace coracle {

// wall_phi: m, < 0 in solids; those that blow gas do not count.
void find_walls(const Surfaces& surfaces, const SolidField& field, Array3<double>& wall_phi);

// m³ of smoke of density 1.
double total_smoke(const Array3<double>& volume, const Gas& gas);

// Smoke that enters through the jets' mouths during dt, minus smoke that leaves through open sides, m³.
double smoke_inflow(const ProjectionInput& in, const std::vector<Jet>& jets, const FaceField<double>& u,
                    const Gas& gas);
// Gas that leaves through open sides, minus gas that enters there, m³/s.
double gas_outflow(const ProjectionInput& in, const FaceField<double>& u);

// Let smoke and heat decay, then fill the jets' regions. Returns the smoke from regions that do not blow, minus the
// smoke that decayed.
double feed_smoke(const GasOptions& options, const std::vector<Jet>& jets, const SolidField& field, double time,
                  double dt, Gas& gas);

// Mark the cells in the jets' regions and up to two cells around them.
void mark_sources(const Grid& grid, const std::vector<Jet>& jets, Array3<std::uint8_t>& near);

// Extrapolate smoke and heat into solids, for the interpolation of the next step; zero far from air.
void extrapolate_into_solids(const Array3<double>& wall_phi, Gas& gas);

// Change the total of smoke to the expected one, by at most the share `most` of it. Excess is removed from all cells in
// proportion; missing smoke is added where there is some already, and no cell gets denser than `densest`.
void rescale_smoke(const Array3<double>& volume, double densest, double most, Gas& gas);

}  // namespace coracle
