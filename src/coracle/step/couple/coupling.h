// U, which couples pressures of cells and velocities of nodes: NᵀC of [ZarifiBatty17 eq. 13], in units of dx².
//     flux out of cell i through its patches   (U v)_i = Σ a·v,    v at the patch's centroid from its triangle's nodes
//     force on node n                          (Uᵀ p)_n = Σ p a β, β its barycentric weight there
// One matrix and its transpose: what the liquid loses the body gains.
#pragma once

#include "coracle/follower.h"
#include "coracle/solve/stencil.h"
#include "coracle/step/contact/penalty.h"
#include "coracle/step/grid/boundary.h"

#include <cstdint>
#include <vector>

namespace coracle {

struct Coupling {
  std::vector<int> cell;     // wet ones, increasing
  std::vector<int> start;    // the i-th cell's entries stand at [start[i], start[i + 1])
  std::vector<int> node;     // of an entry, over all bodies
  std::vector<Vec3> weight;  // Σ β a over the cell's patches, out of the liquid, / dx²
};

// `first` numbers each body's first node.
Coupling wet_coupling(const std::vector<Patch>& patches, const Surfaces& surfaces, const std::vector<int>& first,
                      const Array3<std::uint8_t>& active);

// The coupling through which pressure acts on the bodies: the same, or by pressure samples where the boundary has them.
// Its transpose is J of [Chentanez06].
Coupling pressing_coupling(const Boundary& cut, const Surfaces& surfaces, const std::vector<int>& first,
                           const Array3<std::uint8_t>& active);

// U T, with T the weights of nodes that follow others: the same for nodes that do not follow. `followers` are sorted by
// node.
Coupling on_leaders(const Coupling& u, const std::vector<Follower>& followers);

// sums[i] ← sums[i] + scale (U v) in the i-th wet cell
void add_wet_flux(const Coupling& u, const NodeField& v, double scale, std::vector<double>& sums);
// out ← out + scale U v
void add_flux(const Coupling& u, const NodeField& v, double scale, Vector& out);
// out ← out + scale Uᵀ p
void add_force(const Coupling& u, const Vector& p, double scale, NodeField& out);

}  // namespace coracle
