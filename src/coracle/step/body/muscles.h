// Muscles: elements that pull along their fibres.
//
// A muscle adds the second Piola stress S = s f fᵀ, with f the unit direction of its fibres at rest and s its pull, the
// greatest stress times the activation: P = F S. The pull is constant within a step, so that it has the energy
//     Ψ = ½ ∫ s |F f|² dV = ½ xᵀ A x,     A = Σ_q w_q s g_q g_qᵀ ⊗ 1,     g_q = ∇N · f per node of the element
// A is constant and positive semidefinite: a muscle never makes a step harder to solve. Σ g = 0, and F f turns with the
// body: muscles push no body by themselves and turn none. Energy comes in where the pull changes between steps.
#pragma once

#include "coracle/body.h"
#include "coracle/step/body/elements.h"

#include <vector>

namespace coracle {

// The activation of a muscle at a place along the way of its wave, from 0 to 1.
double activation(const MuscleOptions& muscle, double place, double time);

// Set the pull of all fibres for the step in whose middle `time` lies.
void tense_muscles(std::vector<Body>& bodies, double time);

// As of elements.h. Bodies without fibres have none.
double pull_energy(const Body& body, const std::vector<Vec3>& x);
void add_pull_gradient(const Body& body, const std::vector<Vec3>& x, int first, std::vector<Vec3>& gradient);
void add_pull_stiffness(const Body& body, double scale, int first, const ElementSlots& slots, BlockSolver& matrix);
void add_pull_stiffness_times(const Body& body, double scale, int first, const std::vector<Vec3>& w,
                              std::vector<Vec3>& y);

}  // namespace coracle
