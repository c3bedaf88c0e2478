#include "coracle/step/sph/sph_pairs.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"
#include "coracle/step/sph/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t block = 1024;

// Particles by axis, so that several are compared at once.
using ByAxis = std::array<std::vector<double>, 3>;

// Neighbours of one particle. Room for more than there are.
struct Near {
  std::vector<std::uint32_t> other;
  std::vector<double> square;    // m², of their distances
  std::vector<double> distance;  // m², of a row of candidates
};

// Writes those of the particles [first, last) that are nearer to x than √range, but not i, from place `count` on.
// Returns the number with them.
std::size_t add_near(const ByAxis& at, const Vec3& x, double range, std::size_t i, std::size_t first, std::size_t last,
                     std::size_t count, Near& near) {
  const std::size_t row = last - first;
  if (near.other.size() < count + row) near.other.resize(count + row), near.square.resize(count + row);
  if (near.distance.size() < row) near.distance.resize(row);
  const double *ax = &at[0][first], *ay = &at[1][first], *az = &at[2][first];
  double *distance = near.distance.data(), *square = near.square.data();
  std::uint32_t* other = near.other.data();
  for (std::size_t k = 0; k < row; ++k) {
    const double dx = x[0] - ax[k], dy = x[1] - ay[k], dz = x[2] - az[k];
    distance[k] = dx * dx + dy * dy + dz * dz;
  }
  for (std::size_t k = 0; k < row; ++k) {  // without a branch: a third of them are near
    other[count] = std::uint32_t(first + k);
    square[count] = distance[k];
    count += (distance[k] < range) & (first + k != i);
  }
  return count;
}

// Of a pair at the distance √square: W, and the slope of the gradient in units.
void evaluate(const double* square, std::size_t count, double support, double unit, double* density, float* slope) {
  for (std::size_t k = 0; k < count; ++k) {
    const double r = std::sqrt(square[k]);
    density[k] = cubic_kernel(r, support);
    slope[k] = float(-spiky_slope(r, support) / unit);
  }
}

}  // namespace

SphPairs find_pairs(const Grid& grid, const CellStart& start, const std::vector<Vec3>& x, double support) {
  CHECK(grid.dx >= support * (1 - 1e-9));
  SphPairs pairs;
  pairs.unit = 1 / std::pow(support, 5);
  pairs.number_density.resize(x.size());
  pairs.start.assign(x.size() + 1, 0);
  ByAxis at;
  for (int a = 0; a < 3; ++a) {
    at[a].resize(x.size());
    for_each_index(x.size(), [&](std::size_t i) { at[a][i] = x[i][a]; });
  }
  struct Part {
    std::vector<std::uint32_t> other;
    std::vector<float> slope;
  };
  std::vector<Part> parts((x.size() + block - 1) / block);
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / block];
    Near near;
    std::vector<double> density;
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t count = 0;
      visit_rows(grid, start, x[i], [&](std::uint32_t first, std::uint32_t last) {
        if (first < last) count = add_near(at, x[i], support * support, i, first, last, count, near);
      });
      const std::size_t first = part.slope.size();
      part.other.insert(part.other.end(), near.other.begin(), near.other.begin() + std::ptrdiff_t(count));
      part.slope.resize(first + count);
      density.resize(count);
      evaluate(near.square.data(), count, support, pairs.unit, density.data(), part.slope.data() + first);
      double sum = cubic_kernel(0, support);
      for (const double d : density) sum += d;
      pairs.number_density[i] = sum;
      pairs.start[i + 1] = std::uint32_t(count);
    }
  });
  for (std::size_t i = 0; i < x.size(); ++i) pairs.start[i + 1] += pairs.start[i];
  pairs.other.resize(pairs.start.back());
  pairs.slope.resize(pairs.start.back());
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t) {
    const Part& part = parts[begin / block];
    std::copy(part.other.begin(), part.other.end(), pairs.other.begin() + pairs.start[begin]);
    std::copy(part.slope.begin(), part.slope.end(), pairs.slope.begin() + pairs.start[begin]);
  });
  return pairs;
}

}  // namespace coracle
