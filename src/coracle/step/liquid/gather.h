// Velocities of the faces around a cell, interpolated to eight of its particles at once.
#pragma once

#include "coracle/grid.h"
#include "coracle/step/particles/lanes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace coracle {

// A cell's particles reach, on the faces of one axis `a`, two samples along it and three along each of the others, `b`
// and `d`.
struct Neighbourhood {
  int a, b, d;
  std::ptrdiff_t first, along, across, up;  // index of the lowest sample and the steps between them
  int low[2], high[2];                      // which of the three exist, along b and d

  Neighbourhood(const Grid& grid, const Vec3i& c, int axis) : a(axis), b((axis + 1) % 3), d((axis + 2) % 3) {
    const Vec3i n = grid.faces(a);
    const std::ptrdiff_t stride[] = {1, n.x(), std::ptrdiff_t(n.x()) * n.y()};
    along = stride[a], across = stride[b], up = stride[d];
    first = c[a] * along + (c[b] - 1) * across + (c[d] - 1) * up;
    low[0] = c[b] == 0, low[1] = c[d] == 0;
    high[0] = c[b] + 1 == n[b] ? 2 : 3, high[1] = c[d] + 1 == n[d] ? 2 : 3;
  }

  // f(r, index of the lower of the two samples along the axis) for the pairs that exist.
  template <class F>
  void for_pairs(F&& f) const {
    for (int z = low[1]; z < high[1]; ++z)
      for (int y = low[0]; y < high[0]; ++y) f(y + 3 * z, std::size_t(first + y * across + z * up));
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

  Cell(const Grid& grid, const Vec3i& c) : corner(grid.origin + grid.dx * c.cast<double>()), per_dx(1 / grid.dx) {
    // Half of each neighbour is allowed: rounding may put a particle slightly outside its cell. In the last cell a
    // particle at the sample belongs to the pair below it: there is none above.
    constexpr float below_half = 0x1.fffffep-2f;
    for (int a = 0; a < 3; ++a) {
      low[a] = c[a] == 0 ? 0.5f : -0.5f;
      high[a] = c[a] + 1 < grid.n[a] ? 1.5f : c[a] == 0 ? 0.5f : below_half;
    }
  }
  Spot spot(const Vec3& x) const {
    Spot p;
    p.at = ((x - corner) * per_dx).cast<float>();
    p.clamped = p.at.cwiseMax(low).cwiseMin(high);
    return p;
  }
};

// Eight of a cell's particles, one per lane: the weights of the three samples across and the slopes of the weights.
inline constexpr int batch = 8;
struct Batch {
  Float8 along[3], w[3][3], slope[3][3];

  Batch(const Cell& cell, const Vec3* x, int count) {
    float at[3][batch] = {}, clamped[3][batch] = {};
    for (int i = 0; i < count; ++i) {
      const Spot p = cell.spot(x[i]);
      for (int a = 0; a < 3; ++a) at[a][i] = p.at[a], clamped[a][i] = p.clamped[a];
    }
    for (int a = 0; a < 3; ++a) {
      Float8 h;
      std::memcpy(&along[a], at[a], sizeof h);
      std::memcpy(&h, clamped[a], sizeof h);
      const Float8 rise = h == along[a] ? Float8{} + 1 : Float8{};  // no slope beyond the samples
      w[a][0] = hat(h + 0.5f), w[a][1] = hat(h - 0.5f), w[a][2] = hat(h - 1.5f);
      slope[a][0] = h < 0.5f ? -rise : Float8{};
      slope[a][2] = h < 0.5f ? Float8{} : rise;
      slope[a][1] = -slope[a][0] - slope[a][2];
    }
  }
};

// The velocities of one axis around a cell.
struct Gather {
  float low[pairs] = {}, rise[pairs] = {};  // along the axis

  Gather(const Neighbourhood& near, const Array3<double>& f) {
    near.for_pairs(
        [&](int r, std::size_t i) { low[r] = float(f.data[i]), rise[r] = float(f.data[i + near.along] - f.data[i]); });
  }

  Float8 value(const Neighbourhood& near, const Batch& p) const {
    Float8 v{};
    for (int r = 0; r < pairs; ++r) v += p.w[near.b][r % 3] * p.w[near.d][r / 3] * (low[r] + p.along[near.a] * rise[r]);
    return v;
  }
  Float8 value_and_slope(const Neighbourhood& near, const Batch& p, Float8* slope) const {
    Float8 v{}, sa{}, sb{}, sd{};
    for (int z = 0; z < 3; ++z) {
      Float8 line{}, line_a{}, line_b{};
      for (int y = 0; y < 3; ++y) {
        const int r = y + 3 * z;
        const Float8 here = low[r] + p.along[near.a] * rise[r];
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
