// The second of three phases [Xie23 eq. 5.7]: bodies with elasticity and the quadratic models of contact, with the
// particles that touch them. Velocities minimise
//     Σ m/(2h) |v − u|² + [Ψ + s Ĉ_sf + t Ĉ_ss](x + h v)/h
// with u the velocities after the liquid's phase. Nothing is kept from passing here: the third phase does that. So a
// material must bear elements that the third phase may invert.
#pragma once

#include "coracle/step/sph/fluid_phase.h"
#include "coracle/step/sph/solid_phase.h"

namespace coracle {

struct ElasticPhase {
  BodySolve solve;
  std::vector<Vec3> particles, nodes;  // m/s, at the end of the phase
};

// `touches` with their share s; `surfaces`: the share t of the contact of surfaces with each other. The bodies of the
// world have the velocities of the start of the step.
ElasticPhase solve_elastic_phase(const Scene& scene, World& world, const std::vector<Vec3>& x, const SphSystem& system,
                                 const FluidPhase& fluid, const std::vector<Touch>& touches, double share,
                                 double surfaces, const PhaseNodes& nodes, ContactMesh& mesh, double near_enough,
                                 StepWork& step, BodySystem& bodies);

}  // namespace coracle
