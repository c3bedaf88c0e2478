#include "coracle/step/liquid/transfer.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/lanes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace coracle {
namespace {

constexpr float least_weight = 1e-6f;  // of particles at a face: below it their mean is round-off

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

// Sums of a cell's particles for the faces of one axis, one lane per pair: for the lower and the upper sample along it.
struct Scatter {
  Float16 sum[2] = {}, weight[2] = {};

  void add(const Neighbourhood& near, const Spot& p, float v, float ca, float cb, float cd) {
    const float along = p.at[near.a];
    const Float16 w = hat(p.clamped[near.b] - place_b) * hat(p.clamped[near.d] - place_d);
    const Float16 value = v - ca * along + cb * (place_b - p.at[near.b]) + cd * (place_d - p.at[near.d]);
    const Float16 low = (1 - along) * w, high = along * w;
    weight[0] += low, weight[1] += high;
    sum[0] += low * value, sum[1] += high * (value + ca);
  }
};

// Eight of a cell's particles, one per lane: the weights of the three samples across and the slopes of the weights.
constexpr int batch = 8;
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

}  // namespace

void particles_to_grid(const Grid& grid, const Particles& particles, const CellStart& start,
                       const std::vector<std::uint8_t>& spray, FaceField<double>& u, FaceField<std::uint8_t>& touched) {
  const bool affine = !particles.c.empty();
  const float dx = float(grid.dx);
  FaceField<float> weight;
  for (int a = 0; a < 3; ++a) {
    u[a].assign(grid.faces(a), 0);
    weight[a].assign(grid.faces(a), 0);
    touched[a].assign(grid.faces(a), 0);
  }
  scatter_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const Cell cell(grid, c);
    const Neighbourhood near[] = {{grid, c, 0}, {grid, c, 1}, {grid, c, 2}};
    Scatter scattered[3];
    for (std::size_t p = begin; p < end; ++p) {
      if (spray[p]) continue;
      const Spot spot = cell.spot(particles.x[p]);
      for (int a = 0; a < 3; ++a) {
        Vec3f slope = Vec3f::Zero();
        if (affine) slope = dx * particles.c[p].row(a).transpose();
        scattered[a].add(near[a], spot, particles.v[p][a], slope[a], slope[(a + 1) % 3], slope[(a + 2) % 3]);
      }
    }
    for (int a = 0; a < 3; ++a)
      near[a].for_pairs([&](int r, std::size_t i) {
        const std::size_t j = i + near[a].along;
        u[a].data[i] += scattered[a].sum[0][r], u[a].data[j] += scattered[a].sum[1][r];
        weight[a].data[i] += scattered[a].weight[0][r], weight[a].data[j] += scattered[a].weight[1][r];
      });
  });
  for (int a = 0; a < 3; ++a)
    for_each_index(u[a].size(), [&](std::size_t i) {
      const float w = weight[a].data[i];
      touched[a].data[i] = w > least_weight;
      u[a].data[i] = w > least_weight ? u[a].data[i] / w : 0;
    });
}

void grid_to_particles(const Grid& grid, const LiquidOptions& options, const FaceField<double>& u,
                       const FaceField<double>& u_before, const CellStart& start,
                       const std::vector<std::uint8_t>& spray, const Particles& before, Particles& after) {
  const bool affine = options.advection == Advection::apic, flip = options.advection == Advection::flip;
  const float blend = float(options.flip_blend), per_dx = float(1 / grid.dx);
  after.v.resize(before.v.size());
  after.c.resize(before.c.size());
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const Cell cell(grid, c);
    const Neighbourhood near[] = {{grid, c, 0}, {grid, c, 1}, {grid, c, 2}};
    const Gather now[] = {{near[0], u[0]}, {near[1], u[1]}, {near[2], u[2]}};
    for (std::size_t first = begin; first < end; first += batch) {
      const int count = int(std::min(end - first, std::size_t(batch)));
      const Batch places(cell, before.x.data() + first, count);
      for (int a = 0; a < 3; ++a) {
        Float8 slope[3], old{};
        const Float8 v = affine ? now[a].value_and_slope(near[a], places, slope) : now[a].value(near[a], places);
        if (flip) old = Gather(near[a], u_before[a]).value(near[a], places);
        for (int i = 0; i < count; ++i) {
          const std::size_t p = first + i;
          const float v_before = before.v[p][a];
          after.v[p][a] = spray[p] ? v_before : flip ? v[i] + blend * (v_before - old[i]) : v[i];
          if (affine)
            for (int b = 0; b < 3; ++b) after.c[p](a, b) = spray[p] ? before.c[p](a, b) : per_dx * slope[b][i];
        }
      }
    }
  });
}

void add_gravity(const Vec3& gravity_dv, const FaceField<double>& u, FaceField<double>& out) {
  for (int a = 0; a < 3; ++a) {
    if (out[a].n != u[a].n) out[a].assign(u[a].n);
    for_each_index(u[a].size(), [&](std::size_t i) { out[a].data[i] = u[a].data[i] + gravity_dv[a]; });
  }
}

void advect_velocity(const Grid& grid, double dt, const FaceField<double>& w, const FaceField<double>& u,
                     FaceField<double>& out) {
  for (int a = 0; a < 3; ++a)
    for_each_index(u[a].size(), [&](std::size_t i) {
      const Vec3 q = grid.to_cells(grid.face_center(a, u[a].cell(i)));
      const Vec3 middle = q - 0.5 * dt / grid.dx * sample_faces(w, q);
      out[a].data[i] = sample_face(u[a], a, q - dt / grid.dx * sample_faces(w, middle));
    });
}

}  // namespace coracle
