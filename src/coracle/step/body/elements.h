// What every kind of element offers: energy, gradient, stiffness. To add a kind, add it to the set Elements (body.h)
// and write a file such as tets.h with these functions; elements.cpp and stress.cpp find them by overloading.
#pragma once

#include "coracle/body.h"
#include "coracle/solve/block_solver.h"

#include <utility>
#include <vector>

namespace coracle {

// How the stiffness is computed.
enum class Linearisation {
  warped,    // rotations frozen, as in [MullerGross04]: always positive semidefinite; corotational only
  projected  // exact, with each element's matrix projected to positive semidefinite
};
// Shells and rods know one form only: `projected`, without the second derivatives of angles (shells.h, rods.h).

double elastic_energy(const Body& body, const std::vector<Vec3>& x);

// f ← f + ∂(energy)/∂x at `first` + node: the negative of the elastic force.
void add_elastic_gradient(const Body& body, const std::vector<Vec3>& x, int first, std::vector<Vec3>& gradient);

// Pairs of nodes that share an element, numbered from `first`.
using NodePairs = std::vector<std::pair<int, int>>;
void add_pairs(const Body& body, int first, NodePairs& pairs);

// Where the blocks of the elements stand in the matrix. A tet has six, for the pairs 01 02 03 12 13 23; a
// quadratic one has 45. Shells: 66 per triangle, some unused. Rods: one per segment, then three per bend.
using ElementSlots = std::vector<BlockSolver::Slot>;
ElementSlots element_slots(const Body& body, int first, const BlockSolver& matrix);

// B ← B + scale K(x).
void add_stiffness(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                   const ElementSlots& slots, BlockSolver& matrix);

// y ← y + scale K(x) w, without a matrix.
void add_stiffness_times(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                         const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
