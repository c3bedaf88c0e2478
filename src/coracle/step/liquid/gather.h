// Velocities of the faces around a cell, interpolated to its particles: to eight at once on the processor, to one in
// each thread of a GPU. Fields are arrays (array3.h) or views (view3.h); V is a number or one per lane (simd.h).
#pragma once

#include "coracle/grid.h"
#include "coracle/step/particles/lanes.h"

#include <algorithm>
#include <cstddef>

namespace coracle {

// A cell's particles reach, on the faces of one axis `a`, two samples along it and three along each of the others, `b`
// and `d`.
struct Neighbourhood {
  int a, b, d;
  std::ptrdiff_t first, along, across, up;  // index of the lowest sample and the steps between them
  int low[2], high[2];                      // which of the three exist, along b and d

  CORACLE_BOTH Neighbourhood(const Grid& grid, const Vec3i& c, int axis)
      : a(axis), b((axis + 1) % 3), d((axis + 2) % 3) {
    const Vec3i n = grid.faces(a);
    const std::ptrdiff_t stride[] = {1, n.x(), std::ptrdiff_t(n.x()) * n.y()};
    along = stride[a], across = stride[b], up = stride[d];
    first = c[a] * along + (c[b] - 1) * across + (c[d] - 1) * up;
    low[0] = c[b] == 0, low[1] = c[d] == 0;
    high[0] = c[b] + 1 == n[b] ? 2 : 3, high[1] = c[d] + 1 == n[d] ? 2 : 3;
  }

  // f(r, index of the lower of the two samples along the axis) for the pairs that exist.
  template <class F>
  CORACLE_BOTH void for_pairs(F&& f) const {
    CORACLE_UNROLL
    for (int z = 0; z < 3; ++z) {
      CORACLE_UNROLL
      for (int y = 0; y < 3; ++y)
        if (low[0] <= y && y < high[0] && low[1] <= z && z < high[1])
          f(y + 3 * z, std::size_t(first + y * across + z * up));
    }
  }
};

// A particle's position in its cell, in cells, and the same clamped for the interpolant, which is constant beyond the
// outermost samples.
struct Spot {
  Vec3f at, clamped;
};

struct Cell {
  Vec3 corner;
  double per_dx;
  Vec3f low, high;

  CORACLE_BOTH Cell(const Grid& grid, const Vec3i& c)
      : corner(grid.origin + grid.dx * c.cast<double>()), per_dx(1 / grid.dx) {
    // Half of each neighbour is allowed: rounding may put a particle slightly outside its cell. In the last cell a
    // particle at the sample belongs to the pair below it: there is none above.
    constexpr float below_half = 0x1.fffffep-2f;
    for (int a = 0; a < 3; ++a) {
      low[a] = c[a] == 0 ? 0.5f : -0.5f;
      high[a] = c[a] + 1 < grid.n[a] ? 1.5f : c[a] == 0 ? 0.5f : below_half;
    }
  }
  CORACLE_BOTH Spot spot(const Vec3& x) const {
    Spot p;
    p.at = ((x - corner) * per_dx).cast<float>();
    p.clamped = p.at.cwiseMax(low).cwiseMin(high);
    return p;
  }
};

// Of particles in a cell: the weights of the three samples across and the slopes of the weights.
template <class V>
struct HatWeights {
  V along[3], w[3][3], slope[3][3];

  // Of axis a, from a spot's `at` and `clamped`.
  CORACLE_BOTH void set(int a, V at, V h) {
    along[a] = at;
    const V rise = h == at ? V{} + 1 : V{};  // no slope beyond the samples
    w[a][0] = hat(h + 0.5f), w[a][1] = hat(h - 0.5f), w[a][2] = hat(h - 1.5f);
    slope[a][0] = h < 0.5f ? -rise : V{};
    slope[a][2] = h < 0.5f ? V{} : rise;
    slope[a][1] = -slope[a][0] - slope[a][2];
  }
};

// The velocities of one axis around a cell.
struct Gather {
  float low[pair_count] = {}, rise[pair_count] = {};  // along the axis

  template <class Field>
  CORACLE_BOTH Gather(const Neighbourhood& near, const Field& f) {
    near.for_pairs(
        [&](int r, std::size_t i) { low[r] = float(f.data[i]), rise[r] = float(f.data[i + near.along] - f.data[i]); });
  }

  template <class V>
  CORACLE_BOTH V value(const Neighbourhood& near, const HatWeights<V>& p) const {
    V v{};
    CORACLE_UNROLL
    for (int r = 0; r < pair_count; ++r)
      v += p.w[near.b][r % 3] * p.w[near.d][r / 3] * (low[r] + p.along[near.a] * rise[r]);
    return v;
  }
  template <class V>
  CORACLE_BOTH V value_and_slope(const Neighbourhood& near, const HatWeights<V>& p, V* slope) const {
    V v{}, sa{}, sb{}, sd{};
    CORACLE_UNROLL
    for (int z = 0; z < 3; ++z) {
      V line{}, line_a{}, line_b{};
      CORACLE_UNROLL
      for (int y = 0; y < 3; ++y) {
        const int r = y + 3 * z;
        const V here = low[r] + p.along[near.a] * rise[r];
        line += p.w[near.b][y] * here;
        line_a += p.w[near.b][y] * rise[r];
        line_b += p.slope[near.b][y] * here;
      }
      v += p.w[near.d][z] * line;
      sa += p.w[near.d][z] * line_a;
      sb += p.w[near.d][z] * line_b;
      sd += p.slope[near.d][z] * line;
    }
    slope[near.a] = sa, slope[near.b] = sb, slope[near.d] = sd;
    return v;
  }
};

// What a particle takes over: in FLIP only the share 1 − blend of the velocity, and of the rest only its change on the
// grid since it was `old`.
CORACLE_BOTH inline float taken_over(bool flip, float blend, float v, float old, float v_before) {
  return flip ? v + blend * (v_before - old) : v;
}

// The velocity of all axes around a cell.
struct CellVelocity {
  Cell cell;
  Neighbourhood near[3];
  Gather u[3];

  CellVelocity(const Grid& grid, const Vec3i& c, const FaceField<double>& field)
      : cell(grid, c),
        near{{grid, c, 0}, {grid, c, 1}, {grid, c, 2}},
        u{{near[0], field[0]}, {near[1], field[1]}, {near[2], field[2]}} {}
};

}  // namespace coracle
