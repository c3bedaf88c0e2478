#include "coracle/step/particles/cells.h"

namespace coracle {

CellOrder order_by_cell(const Grid& grid, const std::vector<Vec3>& x) {
  const std::size_t cells = std::size_t(grid.n.x()) * grid.n.y() * grid.n.z();
  std::vector<std::uint32_t> cell(x.size());
  for_each_index(x.size(), [&](std::size_t i) { cell[i] = std::uint32_t(grid.cell_index(grid.cell_of(x[i]))); });
  CellOrder result;
  result.start.assign(cells + 1, 0);
  for (const std::uint32_t c : cell) ++result.start[c + 1];
  for (std::size_t c = 0; c < cells; ++c) result.start[c + 1] += result.start[c];
  std::vector<std::uint32_t> next(result.start.begin(), result.start.end() - 1);
  result.order.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result.order[next[cell[i]]++] = std::uint32_t(i);
  return result;
}

}  // namespace coracle
