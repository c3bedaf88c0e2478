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

// Append the tets to `tets`. cut(i, j): the node on the edge from i (inside) to j (outside). diagonal_at(i, j, k): face
// ijk with i and j inside and k outside is cut to a quadrilateral; returns which of i and j its diagonal starts from,
// independent of the tet. quality(tets): chooses the diagonal of a quadrilateral in the surface if both are possible.
template <class Cut, class DiagonalAt, class Quality>
void apply_stencil(const StencilTet& tet, Cut&& cut, DiagonalAt&& diagonal_at, Quality&& quality,
                   std::vector<Vec4i>& tets);

}  // namespace coracle

#include "coracle/shape/stuffing_stencils_impl.h"
