// Particles in the order of the grid's cells.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/grid.h"

#include <cstdint>
#include <vector>

namespace coracle {

// First particle of every cell once they are sorted by cell; one entry more than cells.
using CellStart = std::vector<std::uint32_t>;

// Each particle stands for an eighth of a cell, in m³.
inline double particle_volume(const Grid& grid) { return grid.cell_volume() / 8; }

struct CellOrder {
  std::vector<std::uint32_t> order;  // of the particles, cell after cell
  CellStart start;
};
// Stable: particles of one cell keep their order. Particles outside the grid belong to the nearest cell.
CellOrder order_by_cell(const Grid& grid, const std::vector<Vec3>& x);

// values[i] ← values[order[i]]; an empty list stays empty.
template <class T>
void reorder(const std::vector<std::uint32_t>& order, std::vector<T>& values) {
  if (values.empty()) return;
  std::vector<T> sorted(values.size());
  for_each_index(order.size(), [&](std::size_t i) { sorted[i] = values[order[i]]; });
  values.swap(sorted);
}

// f(cell, first, end) for the cells that hold particles, of rows [from, to) along x.
template <class F>
void for_filled_rows(const Grid& grid, const CellStart& start, std::size_t from, std::size_t to, F&& f) {
  for (std::size_t row = from; row < to; ++row) {
    Vec3i c(0, int(row % grid.n.y()), int(row / grid.n.y()));
    for (std::size_t i = row * grid.n.x(); c.x() < grid.n.x(); ++c.x(), ++i)
      if (start[i] < start[i + 1]) f(c, start[i], start[i + 1]);
  }
}

// f(cell, first, end) for all cells that hold particles, in parallel.
template <class F>
void for_filled_cells(const Grid& grid, const CellStart& start, F&& f) {
  for_blocks(std::size_t(grid.n.y()) * grid.n.z(), 16,
             [&](std::size_t from, std::size_t to) { for_filled_rows(grid, start, from, to, f); });
}

// The same, but concurrent calls never touch neighbouring cells or their faces: f may add to samples up to one cell
// away. The order of the additions to a sample is fixed.
template <class F>
void scatter_cells(const Grid& grid, const CellStart& start, F&& f) {
  constexpr int thickness = 4;  // layers per block; a particle reaches one layer to either side
  const int blocks = (grid.n.z() + thickness - 1) / thickness;
  for (int parity = 0; parity < 2; ++parity)
    for_blocks(std::size_t((blocks - parity + 1) / 2), 1, [&](std::size_t b, std::size_t) {
      const int k = (2 * int(b) + parity) * thickness;
      const std::size_t rows = grid.n.y();
      for_filled_rows(grid, start, rows * k, rows * std::min(k + thickness, grid.n.z()), f);
    });
}

// visit(first, end) for the particles in the 27 cells around x: rows of three cells along the first axis.
template <class Visit>
void visit_rows(const Grid& grid, const CellStart& start, const Vec3& x, Visit&& visit) {
  const Vec3i c = grid.cell_of(x);
  const Vec3i lo = (c.array() - 1).max(0), hi = (c.array() + 1).min(grid.n.array() - 1);
  for (int k = lo.z(); k <= hi.z(); ++k)
    for (int j = lo.y(); j <= hi.y(); ++j)
      visit(start[grid.cell_index({lo.x(), j, k})], start[grid.cell_index({hi.x(), j, k}) + 1]);
}

}  // namespace coracle
