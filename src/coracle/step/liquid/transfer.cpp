#include "coracle/step/liquid/transfer.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/gather.h"
#include "coracle/step/liquid/scatter.h"
#include "coracle/step/particles/lanes.h"

#include <algorithm>
#include <cstring>

namespace coracle {
namespace {

// Eight of a cell's particles, one per lane.
constexpr int batch = 8;
struct Batch : HatWeights<Float8> {
  Batch(const Cell& cell, const Vec3* x, int count) {
    float at[3][batch] = {}, clamped[3][batch] = {};
    for (int i = 0; i < count; ++i) {
      const Spot p = cell.spot(x[i]);
      for (int a = 0; a < 3; ++a) at[a][i] = p.at[a], clamped[a][i] = p.clamped[a];
    }
    for (int a = 0; a < 3; ++a) {
      Float8 all_at, all_clamped;
      std::memcpy(&all_at, at[a], sizeof all_at);
      std::memcpy(&all_clamped, clamped[a], sizeof all_clamped);
      set(a, all_at, all_clamped);
    }
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
    PairSums<Float16> scattered[3];  // one lane per pair
    for (std::size_t p = begin; p < end; ++p) {
      if (spray[p]) continue;
      const Spot spot = cell.spot(particles.x[p]);
      for (int a = 0; a < 3; ++a) {
        Vec3f slope = Vec3f::Zero();
        if (affine) slope = dx * particles.c[p].row(a).transpose();
        const int b = near[a].b, d = near[a].d;
        const SpotAlong seen{spot.at[a], spot.at[b], spot.at[d], spot.clamped[b], spot.clamped[d]};
        scattered[a].add(place_b, place_d, seen, particles.v[p][a], slope[a], slope[b], slope[d]);
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
      const MeanVelocity mean = mean_velocity(u[a].data[i], weight[a].data[i]);
      touched[a].data[i] = mean.touched;
      u[a].data[i] = mean.u;
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
    const CellVelocity around(grid, c, u);
    const auto& near = around.near;
    for (std::size_t first = begin; first < end; first += batch) {
      const int count = int(std::min(end - first, std::size_t(batch)));
      const Batch places(around.cell, before.x.data() + first, count);
      for (int a = 0; a < 3; ++a) {
        Float8 slope[3], old{};
        const Float8 v =
            affine ? around.u[a].value_and_slope(near[a], places, slope) : around.u[a].value(near[a], places);
        if (flip) old = Gather(near[a], u_before[a]).value(near[a], places);
        for (int i = 0; i < count; ++i) {
          const std::size_t p = first + i;
          const float v_before = before.v[p][a];
          after.v[p][a] = spray[p] ? v_before : taken_over(flip, blend, v[i], old[i], v_before);
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
