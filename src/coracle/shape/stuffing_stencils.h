// The part of a lattice tet inside the surface [LabelleShewchuk07 §3].
#pragma once

#include "coracle/types.h"

#include <array>
#include <vector>

namespace coracle {

// A tet of positive volume and its corners' signs: +1 inside, 0 on the surface, −1 outside.
struct StencilTet {
  Vec4i v;
  std::array<int, 4> sign;
};

// Add the tets. cut(i, j): the node on the edge from i (inside) to j (outside). diagonal_at(i, j, k): which of i and j,
// both inside, has the diagonal of the quadrilateral that is left of face ijk, k outside; must not depend on the tet.
// quality(tets): decides where both diagonals of a quadrilateral in the surface would do.
template <class Cut, class DiagonalAt, class Quality>
void apply_stencil(const StencilTet& tet, Cut&& cut, DiagonalAt&& diagonal_at, Quality&& quality,
                   std::vector<Vec4i>& tets);

}  // namespace coracle

#include "coracle/shape/stuffing_stencils_impl.h"
