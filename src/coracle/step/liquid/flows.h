// Liquid that comes and goes.
//
// An inflow is a region that moves liquid at a set velocity V. Its particles are a jittered lattice that travels with
// V, so that liquid leaves it at full density; its surface enters the projection as patches with velocity V. Liquid
// that reaches an outflow region is taken away; the region is left at p = 0.
#pragma once

#include "coracle/step/liquid/particles.h"

namespace coracle {

// Particles inside each inflow that is present now, added up.
std::size_t count_inside_inflows(const std::vector<Solid>& solids, const SolidField& field, const Particles& particles);

// Add the particles of the travelling lattices that have entered their regions during the last dt.
// `time` is that at the end of dt.
std::size_t emit_particles(const Grid& grid, const std::vector<Solid>& solids, const SolidField& field, double time,
                           double dt, std::uint64_t seed, Particles& particles);

// Take away what has reached an outflow; returns how many particles.
std::size_t drain(const std::vector<Region>& outflows, Particles& particles);

// u = V inside inflows.
void set_inflow_velocity(const Grid& grid, const std::vector<Solid>& solids, const SolidField& field,
                         FaceField<double>& u);

// Whether x lies inside an inflow that is present.
bool inside_inflow(const std::vector<Solid>& solids, const SolidField& field, const Vec3& x);

}  // namespace coracle
