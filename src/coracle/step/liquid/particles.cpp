#include "coracle/step/liquid/particles.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/gather.h"
#include "coracle/step/liquid/spray.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double crowded_share = 1.1;  // share of liquid: in calm water, uneven particles reach 1.1
constexpr double spreading = 0.3;      // κ
constexpr double most_drift = 0.1;     // cells per step
constexpr double flight_piece = 0.5;   // cells between tests whether spray has met liquid
constexpr double deep = 0.25;          // cells: deeper inside a solid than the error of paths
constexpr double long_path = 2.5;      // cells

}  // namespace

void sort_by_cell(const Grid& grid, Particles& particles, CellStart& start) {
  CellOrder sorted = order_by_cell(grid, particles.x);
  reorder(sorted.order, particles.x);
  reorder(sorted.order, particles.v);
  reorder(sorted.order, particles.c);
  start.swap(sorted.start);
}

namespace {

// Whether the share of liquid may exceed `crowded_share` anywhere in a cell.
bool crowded(const Array3<double>& share, const Vec3i& c) {
  const Vec3i lo = (c.array() - 1).max(0), hi = (c.array() + 1).min(share.n.array() - 1);
  for (int k = lo.z(); k <= hi.z(); ++k)
    for (int j = lo.y(); j <= hi.y(); ++j) {
      const double* row = share.data.data() + share.index(0, j, k);
      for (int i = lo.x(); i <= hi.x(); ++i)
        if (row[i] >= crowded_share) return true;
    }
  return false;
}

}  // namespace

Vec3 spreading_drift(const Grid& grid, const Array3<double>& share, const Vec3& x) {
  const Vec3 inner = Vec3::Ones(), outer = grid.n.cast<double>() - inner;  // beyond, the gradient is one-sided
  const Vec3 q = grid.to_cells(x);
  if (sample_cells(share, q) < crowded_share) return Vec3::Zero();
  Vec3 drift = -spreading * cell_gradient(share, q.cwiseMax(inner).cwiseMin(outer));  // cells
  drift *= std::min(1.0, most_drift / std::max(drift.norm(), 1e-30));
  return grid.dx * drift;
}

void advect_particles(const Grid& grid, const FlowAround& flow, const CellStart& start,
                      const std::vector<std::uint8_t>& spray, double dt, const LiquidOptions& options,
                      const std::vector<Vec3>& x_before, Particles& particles) {
  particles.x.resize(x_before.size());
  const double per_dx = 1 / grid.dx;
  const auto velocity = [&](const Vec3& x) { return sample_faces(flow.u, Vec3((x - grid.origin) * per_dx)); };
  const double across = grid.dx * grid.n.sum();  // m, longer than any path in the domain
  const auto pieces_of = [&](double length) { return 1 + int(std::min(length, across) / (flight_piece * grid.dx)); };
  const auto fly = [&](const Vec3& v, Vec3& x) {
    const int pieces = pieces_of(v.norm() * dt);
    for (int i = 1; i <= pieces; ++i) {
      x = kept_inside(grid, x + dt / pieces * v);
      if (sample_cells(flow.solid_phi, grid.to_cells(x)) < 0) return;
      if (is_spray(grid, flow.liquid_phi, x)) continue;
      x = kept_inside(grid, x + dt * (pieces - i) / pieces * velocity(x));
      return;
    }
  };
  // A sudden velocity can make a path longer than steps are meant for. Such a path ends where it is deeper inside a
  // solid than its error: it could come out on the other side.
  const double longer = long_path * long_path * grid.dx * grid.dx;
  const auto stopped = [&](const Vec3& x, const Vec3& path) {
    const double length = path.norm(), near = sample_cells(flow.solid_phi, grid.to_cells(x));
    if (near < 0 || near >= length) return Vec3(x + path);
    const int pieces = pieces_of(length);
    for (int i = 1; i < pieces; ++i) {
      const Vec3 there = kept_inside(grid, x + double(i) / pieces * path);
      if (sample_cells(flow.solid_phi, grid.to_cells(there)) < -deep * grid.dx) return there;
    }
    return Vec3(x + path);
  };
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const bool spread = crowded(flow.share, c);
    const LinearVelocity nearby(grid, c, flow.u);
    for (std::size_t p = begin; p < end; ++p) {
      const Vec3& x = x_before[p];
      if (spray[p]) {
        particles.x[p] = x;
        fly(particles.v[p].cast<double>(), particles.x[p]);
        continue;
      }
      Vec3 path;
      if (options.runge_kutta == 3) {  // Ralston
        const Vec3 k1 = velocity(x);
        const Vec3 k2 = velocity(x + 0.5 * dt * k1);
        const Vec3 k3 = velocity(x + 0.75 * dt * k2);
        path = dt / 9 * (2 * k1 + 3 * k2 + 4 * k3);
      } else {  // midpoint
        path = dt * velocity(x + 0.5 * dt * nearby.at(x));
      }
      if (spread) path += spreading_drift(grid, flow.share, x);
      particles.x[p] = kept_inside(grid, path.squaredNorm() > longer ? stopped(x, path) : Vec3(x + path));
    }
  });
}

namespace {

template <class F>
double fastest_of(const Particles& particles, F&& counts) {
  return max_blocks(particles.size(), 0.0, [&](std::size_t begin, std::size_t end) {
    float fastest = 0;
    for (std::size_t p = begin; p < end; ++p)
      if (counts(p)) fastest = std::max(fastest, particles.v[p].squaredNorm());
    return std::sqrt(double(fastest));
  });
}

}  // namespace

double max_speed(const Particles& particles) {
  return fastest_of(particles, [](std::size_t) { return true; });
}

double max_speed(const Particles& particles, const std::vector<std::uint8_t>& spray) {
  return fastest_of(particles, [&](std::size_t p) { return !spray[p]; });
}

}  // namespace coracle
