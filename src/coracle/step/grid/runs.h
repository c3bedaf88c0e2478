// The values of a field in boxes of cells, in few bytes: along a row most of them are equal.
#pragma once

#include "coracle/step/grid/cell_box.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

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
