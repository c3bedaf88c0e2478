// Liquid that comes and goes.
//
// An inflow is a region that moves liquid at a set velocity V. Its particles are a jittered lattice that travels with
// V, so that liquid leaves it at full density; the side of its surface that V leaves
// enters the projection as patches with velocity V, the rest is a wall. Liquid
// that reaches an outflow region is taken away; the region is left at p = 0.
#pragma once

#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/particles.h"

namespace coracle {

// Particles that are in no inflow. Liquid counts from where it leaves one.
std::size_t count_outside_inflows(const Surfaces& surfaces, const SolidField& field, const Particles& particles);

// Add the particles of the travelling lattices that have entered their regions during the last dt, all of them where
// the inflow was not `present` before it.
void emit_particles(const Scene& scene, const World& world, const SolidField& field, const std::vector<bool>& present,
                    double dt, Particles& particles);

// Take away what has reached an outflow.
void drain(const std::vector<Region>& outflows, Particles& particles);

}  // namespace coracle
