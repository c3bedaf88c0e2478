#include "coracle/step/particles/level_set.h"

#include "coracle/base/for_cells.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/grid/projection.h"
#include "coracle/step/particles/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

constexpr double particle_share = 0.125;     // of a cell
constexpr double least_room = 1e-3;          // of a cell under the kernel: deeper inside a solid there is no liquid
constexpr double sigma = 0.816496580927726;  // √(1/6 + 1/2) cells
constexpr double deepest = 0.9995;           // f is clamped here: φ then reaches 2.7 cells

// Convolve with (side, 1 − 2 side, side) along the first `axes` axes; f is zero outside the grid.
void smooth(double side, Array3<double>& f, Array3<double>& scratch, int axes = 3) {
  for (int a = 0; a < axes; ++a) {
    if (scratch.n != f.n) scratch.assign(f.n);
    const std::size_t s = f.stride(a);
    for_cells(f.n, [&](const Vec3i& c, std::size_t i) {
      const double below = c[a] > 0 ? f.data[i - s] : 0, above = c[a] + 1 < f.n[a] ? f.data[i + s] : 0;
      scratch.data[i] = (1 - 2 * side) * f.data[i] + side * (below + above);
    });
    f.data.swap(scratch.data);
  }
}

constexpr int kernel_reach = 2;  // cells

void smooth_as_kernel(Array3<double>& f) {
  Array3<double> scratch;
  smooth(0.125, f, scratch);  // the width of a cell under the hat kernel
  smooth(0.25, f, scratch);
}

// Cells [lo, hi).
struct Box {
  Vec3i lo, hi;
};

// The box around all cells that are not wholly open.
Box solid_box(const Array3<double>& open_volume) {
  const Vec3i n = open_volume.n;
  const std::size_t rows = std::size_t(n.y()) * n.z();
  return reduce_blocks(
      rows, 64, Box{n, Vec3i::Zero()},
      [&](std::size_t begin, std::size_t end) {
        Box box{n, Vec3i::Zero()};
        for (std::size_t r = begin; r < end; ++r) {
          const double* row = open_volume.data.data() + r * n.x();
          int first = 0, last = n.x();
          while (first < last && row[first] == 1) ++first;
          while (last > first && row[last - 1] == 1) --last;
          if (first == last) continue;
          const int j = int(r % n.y()), k = int(r / n.y());
          box.lo = box.lo.cwiseMin(Vec3i(first, j, k));
          box.hi = box.hi.cwiseMax(Vec3i(last, j + 1, k + 1));
        }
        return box;
      },
      [](const Box& a, const Box& b) {
        return Box{a.lo.cwiseMin(b.lo), a.hi.cwiseMax(b.hi)};
      });
}

Box grown(const Box& box, int by, const Vec3i& n) {
  return {(box.lo.array() - by).max(0), (box.hi.array() + by).min(n.array())};
}

}  // namespace

void measure_room(const Array3<double>& open_volume, Array3<double>& room) {
  const Vec3i n = open_volume.n;
  // Without solids: a product of three profiles, cut off at the domain's sides.
  std::array<Array3<double>, 3> profile;
  for (int a = 0; a < 3; ++a) {
    profile[a].assign(Vec3i(n[a], 1, 1), 1);
    Array3<double> scratch;
    for (double side : {0.125, 0.25}) smooth(side, profile[a], scratch, 1);
  }
  if (room.n != n) room.assign(n);
  for_cells(n, [&](const Vec3i& c, std::size_t i) {
    room.data[i] = profile[0].data[c.x()] * profile[1].data[c.y()] * profile[2].data[c.z()];
  });
  // Around solids, as far as the kernel reaches: smooth the open volume.
  const Box solids = solid_box(open_volume);
  if ((solids.lo.array() >= solids.hi.array()).any()) return;
  const Box changed = grown(solids, kernel_reach, n), needed = grown(changed, kernel_reach, n);
  Array3<double> part(needed.hi - needed.lo);
  for_cells(part.n, [&](const Vec3i& c, std::size_t i) { part.data[i] = open_volume[needed.lo + c]; });
  smooth_as_kernel(part);
  for_cells(changed.hi - changed.lo,
            [&](const Vec3i& c, std::size_t) { room[changed.lo + c] = part[changed.lo + c - needed.lo]; });
}

void liquid_share(const Grid& grid, const std::vector<Vec3>& x, const CellStart& start, const Array3<double>& room,
                  const std::function<bool(const Vec3&)>& counts, Array3<double>& share) {
  share.assign(grid.n, 0);
  scatter_cells(grid, start, [&](const Vec3i& cell, std::size_t begin, std::size_t end) {
    Float16 sum[3] = {};  // per sample along x; lanes: pairs of y and z
    for (std::size_t p = begin; p < end; ++p) {
      if (counts && !counts(x[p])) continue;
      const Vec3f at = (grid.to_cells(x[p]) - cell.cast<double>()).cast<float>();
      const Float16 w = hat(at.y() - place_b) * hat(at.z() - place_d);
      const float below = std::max(0.5f - at.x(), 0.0f), above = std::max(at.x() - 0.5f, 0.0f);
      sum[0] += below * w, sum[1] += (1 - below - above) * w, sum[2] += above * w;
    }
    for (int r = 0; r < pair_count; ++r)
      for (int i = 0; i < 3; ++i)
        if (const Vec3i c = cell + Vec3i(i - 1, r % 3 - 1, r / 3 - 1); share.inside(c))
          share[c] += particle_share * double(sum[i][r]);
  });
  Array3<double> scratch;
  smooth(0.25, share, scratch);
  for_each_index(share.size(),
                 [&](std::size_t i) { share.data[i] = room.data[i] > least_room ? share.data[i] / room.data[i] : 0; });
}

void level_set(const Grid& grid, const Array3<double>& share, Array3<double>& phi) {
  if (phi.n != grid.n) phi.assign(grid.n);
  const double width = std::sqrt(2.0) * sigma * grid.dx;
  const double far = width * inverse_erf(2 * deepest - 1);
  for_each_index(share.size(), [&](std::size_t i) {
    const double f = share.data[i];
    phi.data[i] = f <= 1 - deepest ? far : f >= deepest ? -far : -width * inverse_erf(2 * f - 1);
  });
}

void find_level_set(const Grid& grid, const Surfaces& surfaces, const SolidField& solids, const std::vector<Vec3>& x,
                    const CellStart& start, LevelSetWork& work, Array3<double>& phi) {
  if (work.room_of != solids.updates) {
    measure_room(solids.cut.volume, work.room);
    work.room_of = solids.updates;
  }
  const auto outside_inflows = [&](const Vec3& at) { return !inside_inflow(surfaces, solids, at); };
  liquid_share(grid, x, start, work.room,
               has_inflows(surfaces) ? std::function<bool(const Vec3&)>(outside_inflows) : nullptr, work.share);
  level_set(grid, work.share, phi);
  fill_corners(grid, solids.cut, phi);
}

void fill_corners(const Grid& grid, const Boundary& cut, Array3<double>& phi) {
  const auto corner = [&](const Vec3i& c) { return cut.volume[c] < particle_share; };
  std::vector<std::pair<int, double>> filled;
  int last = -1;
  for (const Patch& p : cut.patches) {
    if (p.cell == last) continue;
    last = p.cell;
    const Vec3i c = phi.cell(p.cell);
    if (!corner(c) || phi[c] < -surface_epsilon * grid.dx) continue;
    double highest = -INFINITY;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) {
        if (end ? c[a] + 1 == grid.n[a] : c[a] == 0) continue;
        Vec3i face = c, next = c;
        face[a] += end, next[a] += 2 * end - 1;
        if (cut.open[a][face] > 0 && !corner(next)) highest = std::max(highest, phi[next]);
      }
    if (highest < 0 && std::isfinite(highest)) filled.emplace_back(p.cell, highest);
  }
  for (const auto& [cell, value] : filled) phi.data[cell] = value;
}

double inverse_erf(double y) {
  // Winitzki's closed form, then two Newton steps on erf(x) = y.
  const double a = 0.147, l = std::log(1 - y * y), t = 2 / (M_PI * a) + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - l / a) - t), y);
  for (int i = 0; i < 2; ++i) x -= (std::erf(x) - y) * 0.5 * std::sqrt(M_PI) * std::exp(x * x);
  return x;
}

}  // namespace coracle
