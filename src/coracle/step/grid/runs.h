// The values of a field in boxes of cells, in few bytes: along a row most of them are equal.
#pragma once

#include "coracle/grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

// The cells [lo, hi).
struct CellBox {
  Vec3i lo = Vec3i::Zero(), hi = Vec3i::Zero();

  CORACLE_BOTH Vec3i size() const { return hi - lo; }
  CORACLE_BOTH bool empty() const { return (lo.array() >= hi.array()).any(); }
  CORACLE_BOTH std::size_t count() const { return empty() ? 0 : std::size_t(size().x()) * size().y() * size().z(); }
  // The cell with number i of those in the box, x fastest.
  CORACLE_BOTH Vec3i cell(std::size_t i) const {
    const std::size_t nx = size().x(), ny = size().y();
    return lo + Vec3i(int(i % nx), int(i / nx % ny), int(i / nx / ny));
  }
  // With `by` more cells on every side, within n cells.
  CellBox grown(int by, const Vec3i& n) const {
    if (empty()) return {};
    return {(lo.array() - by).max(0), (hi.array() + by).min(n.array())};
  }
};

// Equal values that follow each other in a row.
struct Run {
  std::uint32_t first, count;
  double value;
};

struct Runs {
  std::vector<Run> all;
  std::vector<std::size_t> first_of_row;
};

// The values of f in the boxes; each value once, though boxes may overlap.
void find_runs(const Array3<double>& f, std::span<const CellBox> boxes, Runs& runs);

}  // namespace coracle
