#include "coracle/step/particles/level_set.h"

#include "coracle/base/for_cells.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/particles/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

// Convolve with (side, 1 − 2 side, side) along the first `axes` axes; f is zero outside the grid.
void smooth(double side, Array3<double>& f, Array3<double>& scratch, int axes = 3) {
  for (int a = 0; a < axes; ++a) {
    if (scratch.n != f.n) scratch.assign(f.n);
    const std::size_t s = f.stride(a);
    for_cells(f.n, [&](const Vec3i& c, std::size_t i) {
      scratch.data[i] = smoothed(f.data.data(), i, s, c[a], f.n[a], side);
    });
    f.data.swap(scratch.data);
  }
}

constexpr int kernel_reach = 2;  // cells

void smooth_as_kernel(Array3<double>& f) {
  Array3<double> scratch;
  smooth(hat_side, f, scratch);
  smooth(kernel_side, f, scratch);
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
    for (double side : {hat_side, kernel_side}) smooth(side, profile[a], scratch, 1);
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
    ShareSums<Float16> sums;  // lanes: pairs of y and z
    for (std::size_t p = begin; p < end; ++p)
      if (!counts || counts(x[p]))
        sums.add(place_b, place_d, (grid.to_cells(x[p]) - cell.cast<double>()).cast<float>());
    for (int r = 0; r < pair_count; ++r)
      for (int i = 0; i < 3; ++i)
        if (const Vec3i c = cell + Vec3i(i - 1, r % 3 - 1, r / 3 - 1); share.inside(c))
          share[c] += particle_share * double(sums.sum[i][r]);
  });
  Array3<double> scratch;
  smooth(kernel_side, share, scratch);
  for_each_index(share.size(), [&](std::size_t i) { share.data[i] = share_of_room(share.data[i], room.data[i]); });
}

void level_set(const Grid& grid, const Array3<double>& share, Array3<double>& phi) {
  if (phi.n != grid.n) phi.assign(grid.n);
  const LevelSetOf phi_of(grid);
  for_each_index(share.size(), [&](std::size_t i) { phi.data[i] = phi_of(share.data[i]); });
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
  std::vector<std::pair<int, double>> filled;
  for (const int cell : corner_cells(cut))
    if (const double value = filled_corner(phi, cut.volume, cut.open, phi.cell(cell), grid.dx); !std::isnan(value))
      filled.emplace_back(cell, value);
  for (const auto& [cell, value] : filled) phi.data[cell] = value;
}

std::vector<int> corner_cells(const Boundary& cut) {
  std::vector<int> cells;
  int last = -1;
  for (const Patch& p : cut.patches) {
    if (p.cell == last) continue;
    last = p.cell;
    if (is_corner(cut.volume.data[p.cell])) cells.push_back(p.cell);
  }
  return cells;
}

}  // namespace coracle
