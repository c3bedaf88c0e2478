#include "coracle/step/sph/sph_pairs.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"
#include "coracle/step/sph/kernels.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t block = 1024;

}  // namespace

SphPairs find_pairs(const Grid& grid, const CellStart& start, const std::vector<Vec3>& x, double support) {
  CHECK(grid.dx >= support * (1 - 1e-9));
  const double unit = 1 / (support * support * support * support), range = support * support;
  SphPairs pairs;
  pairs.unit = unit;
  pairs.start.assign(x.size() + 1, 0);
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t count = 0;
      visit_rows(grid, start, x[i], [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t j = first; j < last; ++j) count += (x[i] - x[j]).squaredNorm() < range;
      });
      pairs.start[i + 1] = count - 1;  // not itself
    }
  });
  for (std::size_t i = 0; i < x.size(); ++i) pairs.start[i + 1] += pairs.start[i];
  pairs.number_density.resize(x.size());
  pairs.other.resize(pairs.start.back());
  pairs.gradient.assign(3 * std::size_t(pairs.start.back()) + 1, 0);
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t at = pairs.start[i];
      double density = cubic_kernel(0, support);
      visit_rows(grid, start, x[i], [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t j = first; j < last; ++j) {
          const Vec3 d = x[i] - x[j];
          const double square = d.squaredNorm();
          if (!(square < range) || j == i) continue;
          pairs.other[at] = j;
          const double r = std::sqrt(square);
          density += cubic_kernel(r, support);
          // Where two particles coincide, the direction is unknown: they do not push each other.
          const double slope = r > 0 ? -spiky_slope(r, support) / unit : 0;
          for (int a = 0; a < 3; ++a) pairs.gradient[3 * at + a] = float(slope * d[a]);
          ++at;
        }
      });
      pairs.number_density[i] = density;
    }
  });
  return pairs;
}

}  // namespace coracle
