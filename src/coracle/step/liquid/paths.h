// The path of one particle in a step, for the processor's loop (particles.h) and for kernels.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/base/view3.h"
#include "coracle/step/liquid/spray.h"
#include "coracle/step/particles/push_out.h"

#include <algorithm>

namespace coracle {

inline constexpr double crowded_share = 1.1;  // share of liquid: in calm water, uneven particles reach 1.1

// What particles move through, as views: FlowAround is the same on the processor.
struct FlowViews {
  FaceView<const double> u;
  View3<const double> liquid_phi, solid_phi, share;
};

// The velocity in a cell as a linear function of the place: exact at the middles of its faces, with the mean slopes
// across. Good enough for the first half of a path, whose error counts in second order, and a fraction of the cost of
// interpolation.
struct LinearVelocity {
  Vec3 middle, at_middle;
  Mat3 slope;

  template <class Faces>
  CORACLE_BOTH LinearVelocity(const Grid& grid, const Vec3i& c, const Faces& field) : middle(grid.center(c)) {
    const double per_dx = 1 / grid.dx;
    for (int a = 0; a < 3; ++a) {
      const auto& f = field[a];
      Vec3i end = c;
      end[a] += 1;
      const std::ptrdiff_t stride[] = {1, f.n.x(), std::ptrdiff_t(f.n.x()) * f.n.y()};
      const double* low = &f.data[0] + f.index(c);
      const double* high = &f.data[0] + f.index(end);
      at_middle[a] = 0.5 * (*low + *high);
      slope(a, a) = (*high - *low) * per_dx;
      for (int b = 0; b < 3; ++b) {
        if (b == a) continue;
        const bool below = c[b] > 0, above = c[b] + 1 < f.n[b];
        const double before = below ? low[-stride[b]] + high[-stride[b]] : *low + *high;
        const double after = above ? low[stride[b]] + high[stride[b]] : *low + *high;
        slope(a, b) = 0.5 * (after - before) * per_dx / std::max(1, below + above);
      }
    }
  }
  CORACLE_BOTH Vec3 at(const Vec3& x) const { return at_middle + slope * (x - middle); }
};

// Where particles have gathered, the share f of liquid around them is above 1: they drift towards smaller f, per step
// by −κ dx² ∇f. Spray that lands on a wall lies flat against it, and no velocity field would lift it off again: its
// film would keep only a fraction of its volume.
template <class Field>
CORACLE_BOTH Vec3 spreading_drift(const Grid& grid, const Field& share, const Vec3& x) {
  constexpr double spreading = 0.3;                                        // κ
  constexpr double most_drift = 0.1;                                       // cells per step
  const Vec3 inner = Vec3::Ones(), outer = grid.n.cast<double>() - inner;  // beyond, the gradient is one-sided
  const Vec3 q = grid.to_cells(x);
  if (sample_cells(share, q) < crowded_share) return Vec3::Zero();
  Vec3 drift = -spreading * cell_gradient(share, q.cwiseMax(inner).cwiseMin(outer));  // cells
  drift *= std::min(1.0, most_drift / std::max(drift.norm(), 1e-30));
  return grid.dx * drift;
}

// Where particles go in a time dt. Flow: FlowAround or FlowViews.
template <class Flow>
struct Paths {
  Grid grid;
  Flow flow;
  double dt;
  bool third_order;
  double per_dx, across, longer;

  Paths(const Grid& g, const Flow& f, double time, int runge_kutta)
      : grid(g), flow(f), dt(time), third_order(runge_kutta == 3), per_dx(1 / g.dx) {
    constexpr double long_path = 2.5;  // cells
    across = g.dx * g.n.sum();         // m, longer than any path in the domain
    longer = long_path * long_path * g.dx * g.dx;
  }

  CORACLE_BOTH Vec3 velocity(const Vec3& x) const { return sample_faces(flow.u, Vec3((x - grid.origin) * per_dx)); }

  CORACLE_BOTH int pieces_of(double length) const {
    constexpr double flight_piece = 0.5;  // cells between tests whether spray has met liquid
    return 1 + int(std::min(length, across) / (flight_piece * grid.dx));
  }

  // Spray flies with its own velocity until it meets liquid or a solid.
  CORACLE_BOTH Vec3 flown(const Vec3& v, Vec3 x) const {
    const int pieces = pieces_of(v.norm() * dt);
    for (int i = 1; i <= pieces; ++i) {
      x = kept_inside(grid, x + dt / pieces * v);
      if (sample_cells(flow.solid_phi, grid.to_cells(x)) < 0) return x;
      if (is_spray(grid, flow.liquid_phi, x)) continue;
      return kept_inside(grid, x + dt * (pieces - i) / pieces * velocity(x));
    }
    return x;
  }

  // A sudden velocity can make a path longer than steps are meant for. Such a path ends where it is deeper inside a
  // solid than its error: it could come out on the other side.
  CORACLE_BOTH Vec3 stopped(const Vec3& x, const Vec3& path) const {
    constexpr double deep = 0.25;  // cells: deeper inside a solid than the error of paths
    const double length = path.norm(), near = sample_cells(flow.solid_phi, grid.to_cells(x));
    if (near < 0 || near >= length) return x + path;
    const int pieces = pieces_of(length);
    for (int i = 1; i < pieces; ++i) {
      const Vec3 there = kept_inside(grid, x + double(i) / pieces * path);
      if (sample_cells(flow.solid_phi, grid.to_cells(there)) < -deep * grid.dx) return there;
    }
    return x + path;
  }

  // The liquid's own. `nearby`: the velocity in the cell of x; `spread`: false where the share of liquid is below
  // `crowded_share` all around.
  CORACLE_BOTH Vec3 carried(const LinearVelocity& nearby, bool spread, const Vec3& x) const {
    Vec3 path;
    if (third_order) {  // Ralston
      const Vec3 k1 = velocity(x);
      const Vec3 k2 = velocity(x + 0.5 * dt * k1);
      const Vec3 k3 = velocity(x + 0.75 * dt * k2);
      path = dt / 9 * (2 * k1 + 3 * k2 + 4 * k3);
    } else {  // midpoint
      path = dt * velocity(x + 0.5 * dt * nearby.at(x));
    }
    if (spread) path += spreading_drift(grid, flow.share, x);
    return kept_inside(grid, path.squaredNorm() > longer ? stopped(x, path) : Vec3(x + path));
  }
};

}  // namespace coracle
