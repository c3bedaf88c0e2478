// Cut triangles by the planes of a grid.
#pragma once

#include "coracle/types.h"

#include <array>

namespace coracle {

// A planar piece of a triangle inside one cell, in units of cells.
struct Piece {
  Vec3i cell;   // -1 and n: everything beyond the grid on that side
  Vec3 area;    // area times unit normal
  Vec3 center;  // centroid
};

// Cut the triangle (in units of cells) by the planes 0..n of each axis and call emit(Piece) for every piece. The pieces
// cover the triangle exactly once: a piece that lies in a grid plane goes to the cell that `side` times its normal
// points into.
template <class Emit>
void clip_to_cells(const std::array<Vec3, 3>& triangle, const Vec3i& n, double side, Emit&& emit);

}  // namespace coracle

#include "coracle/shape/clip_impl.h"
