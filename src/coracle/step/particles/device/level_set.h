// The liquid's distance field at a place: what particles/level_set.h says, of the same cells' and particles'
// arithmetic.
//
// Differs from the processor's way, which adds the sums of one cell after the other to its neighbours: threads would
// meet there. The sums of every filled cell are written down, and every cell adds those around it in a fixed order.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/device/solids.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/particles/level_set.h"

#include <cmath>
#include <utility>
#include <vector>

namespace coracle {

template <class Place>
struct PlacedLevelSetWork {
  PlacedArray3<Place, double> room, scratch;
  int room_of = -1;                            // the update of the solids that `room` and `corners` belong to
  typename Place::template Array<float> sums;  // of filled cells, by sample
  typename Place::template Array<int> corners;
  typename Place::template Array<double> values;
  std::size_t corner_count = 0;
};

// Convolve with (side, 1 − 2 side, side) along all axes. f and scratch change places.
template <class Place>
void smooth(Place& place, double side, PlacedArray3<Place, double>& f, PlacedArray3<Place, double>& scratch) {
  const Vec3i n = f.n;
  scratch.resize(n);
  for (int a = 0; a < 3; ++a) {
    const std::size_t stride = f.stride(a);
    const double* const from = f.data.data();
    double* const to = scratch.data.data();
    place.for_each(f.size(), [=] CORACLE_KERNEL(std::size_t i) {
      to[i] = smoothed(from, i, stride, cell_at(n, i)[a], n[a], side);
    });
    f.data.swap(scratch.data);
  }
}

// The room that solids and the domain's sides leave under the kernel.
template <class Place>
void measure_room(Place& place, const PlacedArray3<Place, double>& open_volume, PlacedLevelSetWork<Place>& work) {
  work.room.resize(open_volume.n);
  place.copy(open_volume.data.data(), work.room.data.data(), open_volume.size());
  smooth(place, hat_side, work.room, work.scratch);
  smooth(place, kernel_side, work.room, work.scratch);
}

// What of the particles `PlacedCells` knows: start[i] to start[i + 1] lie in cell i, filled[k] is the k-th cell that
// holds any, number[i] is 1 + its k, or 0.
struct CellsView {
  const std::uint32_t *start = nullptr, *filled = nullptr, *number = nullptr;
  std::size_t count = 0;  // of filled cells
};

template <class Place>
void liquid_share(Place& place, const Grid& grid, const Vec3* x, const CellsView& cells,
                  const PlacedSolids<Place>& solids, bool inflows, PlacedLevelSetWork<Place>& work,
                  PlacedArray3<Place, double>& share) {
  constexpr int samples = 27;  // s = x + 3 y + 9 z
  const std::size_t count = cells.count;
  work.sums.resize(samples * count);
  float* const sums = work.sums.data();
  const SolidsView around = solids.view();
  // Three threads per cell, one for each sample along z.
  place.for_each(3 * count, [=] CORACLE_KERNEL(std::size_t t) {
    const std::size_t k = t / 3;
    const int z = int(t - 3 * k);
    const std::uint32_t index = cells.filled[k], end = cells.start[index + 1];
    const Vec3 corner = cell_at(grid.n, index).cast<double>();
    ShareSums<float> own[3];
    for (std::uint32_t p = cells.start[index]; p < end; ++p) {
      if (inflows && inside_inflow(around, x[p])) continue;
      const Vec3f at = (grid.to_cells(x[p]) - corner).template cast<float>();
      CORACLE_UNROLL
      for (int y = 0; y < 3; ++y) own[y].add(float(y) - 0.5f, float(z) - 0.5f, at);
    }
    CORACLE_UNROLL
    for (int y = 0; y < 3; ++y) {
      CORACLE_UNROLL
      for (int s = 0; s < 3; ++s) sums[(s + 3 * y + 9 * std::size_t(z)) * count + k] = own[y].sum[s];
    }
  });
  share.resize(grid.n);
  double* const to = share.data.data();
  const Vec3i n = grid.n;
  place.for_each(share.size(), [=] CORACLE_KERNEL(std::size_t i) {
    const Vec3i c = cell_at(n, i);
    double sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Vec3i from(c.x() + dx, c.y() + dy, c.z() + dz);
          if (from.x() < 0 || from.y() < 0 || from.z() < 0 || from.x() >= n.x() || from.y() >= n.y() ||
              from.z() >= n.z())
            continue;
          const std::uint32_t number = cells.number[Shape3{n}.index(from)];
          if (number == 0) continue;
          // Seen from there, this cell is the sample 1 − d.
          sum += sums[((1 - dx) + 3 * (1 - dy) + 9 * std::size_t(1 - dz)) * count + (number - 1)];
        }
    to[i] = particle_share * sum;
  });
  smooth(place, kernel_side, share, work.scratch);
}

// φ and the share of the particles that `cells` has sorted. update, cut: of the solid field that `solids` shows.
template <class Place>
void find_level_set(Place& place, const Grid& grid, int update, const Boundary& cut, bool inflows,
                    const PlacedSolids<Place>& solids, const Vec3* x, const CellsView& cells,
                    PlacedLevelSetWork<Place>& work, PlacedArray3<Place, double>& share,
                    PlacedArray3<Place, double>& phi) {
  if (work.room_of != update) {
    measure_room(place, solids.volume, work);
    const std::vector<int> corners = corner_cells(cut);
    work.corner_count = corners.size();
    place.upload(corners.data(), corners.size(), work.corners);
    work.room_of = update;
  }
  liquid_share(place, grid, x, cells, solids, inflows, work, share);
  phi.resize(grid.n);
  const LevelSetOf phi_of(grid);
  const double* const room = work.room.data.data();
  double *const f = share.data.data(), *const to = phi.data.data();
  place.for_each(share.size(), [=] CORACLE_KERNEL(std::size_t i) {
    f[i] = share_of_room(f[i], room[i]);
    to[i] = phi_of(f[i]);
  });
  // Corners: all values are found before any is written.
  work.values.resize(work.corner_count);
  const int* const corner = work.corners.data();
  double* const value = work.values.data();
  const View3<const double> all = std::as_const(phi).view(), volume = solids.volume.view();
  const FaceView<const double> open = solids.open.view();
  const double dx = grid.dx;
  place.for_each(work.corner_count, [=] CORACLE_KERNEL(std::size_t i) {
    value[i] = filled_corner(all, volume, open, cell_at(all.n, std::size_t(corner[i])), dx);
  });
  place.for_each(work.corner_count, [=] CORACLE_KERNEL(std::size_t i) {
    if (!std::isnan(value[i])) to[corner[i]] = value[i];
  });
}

}  // namespace coracle
