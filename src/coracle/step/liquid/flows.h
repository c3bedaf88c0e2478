// Inflows and outflows of liquid.
//
// An inflow is a region that moves liquid at a set velocity V. Its particles are a jittered lattice that travels with
// V, so that liquid leaves it at full density. The part of its surface where V points outwards enters the projection as
// patches with velocity V; the rest is a wall. Liquid that reaches an outflow region is removed; the region stays at
// p = 0.
#pragma once

#include "coracle/shape/region.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/particles.h"

namespace coracle {

// Number of particles outside all inflows: liquid counts once it has left its inflow.
std::size_t count_outside_inflows(const Surfaces& surfaces, const SolidField& field, const Particles& particles);

// The particles of an inflow's travelling lattice that have entered it during the last dt, with x and v; all that it
// holds if it is `opening`.
Particles emission(const LiquidOptions& options, const Solid& flow, const Grid& grid, const SolidGeometry& geometry,
                   double time, double dt, bool opening);
// Add the particles of the travelling lattices that have entered their regions during the last dt; all particles of
// an inflow that was not `present` before that dt.
void emit_particles(const LiquidOptions& options, const World& world, const Grid& grid, const SolidField& field,
                    const std::vector<bool>& present, double dt, Particles& particles);

// Forget the pockets that an outflow touches: it drains them.
void forget_drained(const Grid& grid, const std::vector<Region>& outflows, std::vector<Pocket>& pockets);

// Remove the particles that have reached an outflow; returns how many.
std::size_t drain(const std::vector<Region>& outflows, Particles& particles);
// The same of drops; returns their volume, m³.
double drain(const std::vector<Region>& outflows, Drops& drops);

}  // namespace coracle
