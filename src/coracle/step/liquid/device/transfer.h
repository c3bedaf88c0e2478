// Velocity between particles and grid at a place: what liquid/transfer.h says, with the same arithmetic (gather.h,
// scatter.h).
//
// To the grid, the processor adds the sums of one cell after the other to the faces. Threads would meet at the faces,
// and the order of their additions would change. So the sums of every filled cell are written down, one value for each
// of the samples that its particles reach, and every face adds those around it in a fixed order. That moves a tenth of
// the memory that reading the particles of all cells around each face would move.
#pragma once

#include "coracle/step/liquid/device/state.h"
#include "coracle/step/liquid/gather.h"
#include "coracle/step/liquid/scatter.h"

#include <algorithm>
#include <vector>

namespace coracle {

// Filled cells whose sums are kept at once: 3.6 GB. Grids with more are done in slabs of layers along z.
inline constexpr std::uint32_t most_cell_sums = std::uint32_t(1) << 23;

// The sums of the filled cells from `first` on: of cell i, axis a and sample s at values[(s · 3 + a) room + i − first],
// beginning anew at the end of the room; the weights after all sums. Sample s = 2 r + 1 is the upper one of pair r
// (gather.h).
struct CellSums {
  static constexpr int samples = 2 * pair_count;
  static constexpr int per_cell = 2 * 3 * samples;

  float* values = nullptr;
  std::uint32_t room = 0, first = 0;

  CORACLE_BOTH float* at(int sample, int axis, std::uint32_t i) const {
    const std::uint32_t way = i - first;
    return values + (std::size_t(sample * 3 + axis) * room + (way < room ? way : way - room));
  }
  CORACLE_BOTH std::size_t to_weight() const { return std::size_t(3 * samples) * room; }
};

// What sum_cell reads.
struct ScatterInput {
  Grid grid;
  const std::uint32_t *start = nullptr, *filled = nullptr;  // as in PlacedLiquid and PlacedCells
  const std::uint8_t* spray = nullptr;
  const Vec3* x = nullptr;
  const float *v = nullptr, *c = nullptr;  // c: none unless affine
};

// v[a], where a is not known when the program is compiled: registers have no index.
template <class V>
CORACLE_BOTH inline float component(const V& v, int a) {
  return a == 0 ? v[0] : a == 1 ? v[1] : v[2];
}

// The sums of the i-th filled cell for the faces of axis a.
CORACLE_BOTH inline void sum_cell(const ScatterInput& in, std::uint32_t i, int a, const CellSums& out) {
  constexpr float place[] = {-0.5f, 0.5f, 1.5f};
  const std::uint32_t index = in.filled[i], end = in.start[index + 1];
  const Cell cell(in.grid, cell_at(in.grid.n, index));
  const int b = a == 2 ? 0 : a + 1, d = a == 0 ? 2 : a - 1;
  const float dx = float(in.grid.dx);
  PairSums<float> sums[pair_count];
  for (std::uint32_t p = in.start[index]; p < end; ++p) {
    if (in.spray[p]) continue;
    const Spot spot = cell.spot(in.x[p]);
    const SpotAlong seen{component(spot.at, a), component(spot.at, b), component(spot.at, d),
                         component(spot.clamped, b), component(spot.clamped, d)};
    float ca = 0, cb = 0, cd = 0;
    if (in.c) {
      const float* const row = in.c + (9 * std::size_t(p) + a);  // Eigen's matrices stand column by column
      ca = dx * row[3 * a], cb = dx * row[3 * b], cd = dx * row[3 * d];
    }
    const float v = in.v[3 * std::size_t(p) + a];
    CORACLE_UNROLL
    for (int r = 0; r < pair_count; ++r) sums[r].add(place[r % 3], place[r / 3], seen, v, ca, cb, cd);
  }
  CORACLE_UNROLL
  for (int r = 0; r < pair_count; ++r) {
    CORACLE_UNROLL
    for (int up = 0; up < 2; ++up) {
      float* const to = out.at(2 * r + up, a, i);
      *to = sums[r].sum[up];
      to[out.to_weight()] = sums[r].weight[up];
    }
  }
}

// The velocity at a face from the sums of the cells around it. number: as in PlacedCells.
template <int a>
CORACLE_BOTH inline MeanVelocity mean_at_face(const Vec3i& face, const Shape3& all, const std::uint32_t* number,
                                              const CellSums& sums) {
  constexpr int b = (a + 1) % 3, d = (a + 2) % 3;
  double sum = 0;
  float weight = 0;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int up = 0; up < 2; ++up) {
        Vec3i c;  // the face is its upper or lower one, y − 1 and z − 1 cells to the side
        c[a] = face[a] - up, c[b] = face[b] + 1 - y, c[d] = face[d] + 1 - z;
        if (!all.inside(c)) continue;
        const std::uint32_t found = number[all.index(c)];
        if (found == 0) continue;
        const float* const from = sums.at(2 * (y + 3 * z) + up, a, found - 1);
        sum += from[0], weight += from[sums.to_weight()];
      }
  return mean_velocity(sum, weight);
}

// The velocities of the faces in layers [from, to) along z.
template <int a, class Place>
void add_cell_sums(Place& place, const Grid& grid, int from, int to, const std::uint32_t* number, const CellSums& sums,
                   PlacedFaces<Place, double>& u, PlacedFaces<Place, std::uint8_t>& touched) {
  const View3<double> velocity = u[a].view();
  std::uint8_t* const marks = touched[a].data.data();
  to = std::min(to, velocity.n.z());
  if (from >= to) return;
  const Shape3 all{grid.n};
  const std::size_t first = velocity.index(0, 0, from), count = velocity.index(0, 0, to) - first;
  place.for_each(count, [=] CORACLE_KERNEL(std::size_t i) {
    const MeanVelocity mean = mean_at_face<a>(cell_at(velocity.n, first + i), all, number, sums);
    velocity.data[first + i] = mean.u;
    marks[first + i] = mean.touched;
  });
}

// How many filled cells come before each layer along z, and all: at least for the first and the last one; for those in
// between, if the sums need more than `most`.
template <class Place>
std::vector<std::uint32_t> filled_before_layers(Place& place, const Grid& grid, const PlacedCells<Place>& cells,
                                                std::uint32_t most,
                                                typename Place::template Array<std::uint32_t>& memory) {
  const std::uint32_t count = std::uint32_t(cells.count);
  if (count <= most) return {0, count};
  const std::size_t layer = std::size_t(grid.n.x()) * grid.n.y(), size = std::size_t(grid.n.z()) + 1;
  memory.resize(size);
  std::uint32_t* const before = memory.data();
  const std::uint32_t* const filled = cells.filled.data();
  place.for_each(size, [=] CORACLE_KERNEL(std::size_t k) {
    std::uint32_t low = 0, high = count;  // the first one that lies in layer k or later is in [low, high]
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (filled[middle] < k * layer)
        low = middle + 1;
      else
        high = middle;
    }
    before[k] = low;
  });
  std::vector<std::uint32_t> result(size);
  place.download(before, size, result.data());
  return result;
}

// u and `touched` as in liquid/transfer.h. most: filled cells whose sums are kept at once.
template <class Place>
void particles_to_grid(Place& place, const Grid& grid, const PlacedParticles<Place>& particles,
                       const typename Place::template Array<std::uint32_t>& cell_start, const PlacedCells<Place>& cells,
                       const typename Place::template Array<std::uint8_t>& spray, ScatterMemory<Place>& memory,
                       PlacedFaces<Place, double>& u, PlacedFaces<Place, std::uint8_t>& touched,
                       std::uint32_t most = most_cell_sums) {
  u.resize(grid), touched.resize(grid);
  const std::vector<std::uint32_t> before = filled_before_layers(place, grid, cells, most, memory.layers);
  const bool whole = before.size() == 2;
  const int layers = whole ? 1 : grid.n.z();

  // A face needs the sums of its own layer and those beside it: when layer k has been summed, those of k − 2 and k − 1
  // must still be there.
  const auto oldest = [&](int k) { return before[std::max(k - 2, 0)]; };
  CellSums sums;
  sums.room = std::min(most, before.back());
  for (int k = 0; k < layers; ++k) sums.room = std::max(sums.room, before[k + 1] - oldest(k));
  memory.sums.resize(std::size_t(CellSums::per_cell) * sums.room);
  sums.values = memory.sums.data();

  ScatterInput in;
  in.grid = grid;
  in.start = cell_start.data(), in.filled = cells.filled.data(), in.spray = spray.data();
  if (particles.count > 0) {
    in.x = particles.x.data(), in.v = particles.v.data()->data();
    if (!particles.c.empty()) in.c = particles.c.data()->data();
  }
  for (int k = 0, end = 0; k < layers; k = end) {
    for (end = k + 1; end < layers && before[end + 1] - oldest(k) <= sums.room;) ++end;
    if (sums.room > 0) sums.first = oldest(k) / sums.room * sums.room;
    const std::uint32_t first = before[k];
    const CellSums out = sums;
    // Three threads of a cell read the same particles at the same time.
    place.for_each(3 * std::size_t(before[end] - first), [=] CORACLE_KERNEL(std::size_t i) {
      const std::uint32_t cell = std::uint32_t(i / 3);
      sum_cell(in, first + cell, int(i - 3 * std::size_t(cell)), out);
    });
    const int from = std::max(k - 1, 0), to = end == layers ? grid.n.z() + 1 : end - 1;
    const std::uint32_t* const number = cells.number.data();
    add_cell_sums<0>(place, grid, from, to, number, sums, u, touched);
    add_cell_sums<1>(place, grid, from, to, number, sums, u, touched);
    add_cell_sums<2>(place, grid, from, to, number, sums, u, touched);
  }
}

// What a particle takes from the grid.
struct GatherInput {
  Grid grid;
  FaceView<const double> u, u_before;  // u_before: for FLIP
  bool affine = false, flip = false;
  float blend = 0, per_dx = 0;
};

// v and c of a particle in a cell, from its place and its old velocity.
CORACLE_BOTH inline void gather_at(const GatherInput& in, const Vec3i& c, const Vec3& x, const Vec3f& v_before,
                                   Vec3f& v, Mat3f& affine) {
  const Spot spot = Cell(in.grid, c).spot(x);
  HatWeights<float> weights;
  CORACLE_UNROLL
  for (int a = 0; a < 3; ++a) weights.set(a, spot.at[a], spot.clamped[a]);
  CORACLE_UNROLL
  for (int a = 0; a < 3; ++a) {
    const Neighbourhood near(in.grid, c, a);
    const Gather around(near, in.u[a]);
    float slope[3] = {};
    const float here = in.affine ? around.value_and_slope(near, weights, slope) : around.value(near, weights);
    const float old = in.flip ? Gather(near, in.u_before[a]).value(near, weights) : 0;
    v[a] = taken_over(in.flip, in.blend, here, old, v_before[a]);
    CORACLE_UNROLL
    for (int b = 0; b < 3; ++b) affine(a, b) = in.per_dx * slope[b];
  }
}

// v and c of `after` as in liquid/transfer.h. The particles of `before` are those that sort_by_cell has sorted.
template <class Place>
void grid_to_particles(Place& place, const Grid& grid, const LiquidOptions& options,
                       const PlacedFaces<Place, double>& u, const PlacedFaces<Place, double>& u_before,
                       const PlacedCells<Place>& cells, const typename Place::template Array<std::uint8_t>& spray,
                       const PlacedParticles<Place>& before, PlacedParticles<Place>& after) {
  GatherInput in;
  in.grid = grid, in.u = u.view();
  in.affine = options.advection == Advection::apic, in.flip = options.advection == Advection::flip;
  in.blend = float(options.flip_blend), in.per_dx = float(1 / grid.dx);
  if (in.flip) in.u_before = u_before.view();
  after.resize(before.count, in.affine);
  const std::uint32_t* const cell = cells.of.data();
  const std::uint8_t* const is_spray = spray.data();
  const Vec3* const x = before.x.data();
  const Vec3f* const v_before = before.v.data();
  const Mat3f* const c_before = before.c.data();
  Vec3f* const v_after = after.v.data();
  Mat3f* const c_after = after.c.data();
  place.for_each(before.count, [=] CORACLE_KERNEL(std::size_t p) {
    Vec3f v = v_before[p];
    Mat3f c;
    if (!is_spray[p])
      gather_at(in, cell_at(in.grid.n, cell[p]), x[p], v_before[p], v, c);
    else if (in.affine)
      c = c_before[p];
    v_after[p] = v;
    if (in.affine) c_after[p] = c;
  });
}

}  // namespace coracle
