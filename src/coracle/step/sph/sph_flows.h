// Where liquid of smoothed particles begins, enters and leaves.
//
// An inflow is a region in which liquid moves at a set velocity V. Its particles are a lattice of the spacing D that
// travels with V, so that liquid leaves it at full density. Liquid that reaches an outflow region is removed.
#pragma once

#include "coracle/step/sph/sph_work.h"

#include <cstdint>

namespace coracle {

// The liquid of the scene's regions at time zero: the lattice of spacing D that fills the domain, outside solids and
// bodies and no nearer than half their reach.
void seed_sph(const Scene& scene, const World& world, ContactMesh& mesh, SphLiquid& liquid);

// Per point: whether it is inside an inflow that is present. `inflows`: their regions, in the scene's order.
std::vector<std::uint8_t> inside_inflows(const Scene& scene, const World& world, const std::vector<Region>& inflows,
                                         const std::vector<Vec3>& x);

// Fill the inflows' regions: every point of a travelling lattice that has no particle within half a spacing gets one.
// An inflow that was not present before the last dt takes the place of the liquid that was there. Nothing enters where
// a body or a solid is, and what one has moved over goes. dt = 0: at the start.
void emit_sph(const Scene& scene, const World& world, const std::vector<Region>& inflows, double dt, ContactMesh& mesh,
              SphLiquid& liquid);

// Remove the particles that have reached an outflow.
void drain_sph(const std::vector<Region>& outflows, SphLiquid& liquid);

}  // namespace coracle
