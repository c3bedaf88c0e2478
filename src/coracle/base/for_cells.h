// Parallel loops over all cells (or faces of an axis) of a grid, row by row.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/types.h"

namespace coracle {

// f(row, j, k) for every row along x of an array of size n.
template <class F>
void for_rows(const Vec3i& n, F&& f) {
  for_blocks(std::size_t(n.y()) * n.z(), 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) f(row, int(row % n.y()), int(row / n.y()));
  });
}

// f(c, i) for every sample of an array of size n: c are its three indices, i is its linear index.
template <class F>
void for_cells(const Vec3i& n, F&& f) {
  for_rows(n, [&](std::size_t row, int j, int k) {
    Vec3i c(0, j, k);
    for (std::size_t i = row * n.x(); c.x() < n.x(); ++c.x(), ++i) f(c, i);
  });
}

}  // namespace coracle
