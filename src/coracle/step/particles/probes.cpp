#include "coracle/step/particles/probes.h"

#include "coracle/shape/closest.h"

#include <atomic>
#include <cmath>

namespace coracle {

std::size_t count_outside(const Body& body, const Grid& grid, const std::vector<Vec3>& x, const CellStart& start) {
  if (x.empty()) return 0;
  const TriTree hull(body.x, body.rest->skin.hull);
  const double half_diagonal = 0.5 * std::sqrt(3.0) * grid.dx;
  std::atomic<std::size_t> count = 0;
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    count += outside_in_cell(hull.view(), half_diagonal, grid.center(c), x.data(), begin, end);
  });
  return count;
}

}  // namespace coracle
