#include "coracle/step/liquid/particles.h"

#include "coracle/base/interpolate.h"
#include "coracle/step/liquid/gather.h"
#include "coracle/step/liquid/spray.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double wall_gap = 1e-6;      // cells: a particle never lies exactly on the domain's side
constexpr double crowded_share = 1.1;  // share of liquid: in calm water, uneven particles reach 1.1
constexpr double spreading = 0.3;      // κ
constexpr double most_drift = 0.1;     // cells per step
constexpr double flight_piece = 0.5;   // cells between tests whether spray has met liquid
constexpr double deep = 0.25;          // cells: deeper inside a solid than the error of paths
constexpr double long_path = 2.5;      // cells
constexpr int steps_back = 3;
constexpr double surface_gap = 1e-2;  // cells: how far outside a solid a particle is put back

Vec3 kept_inside(const Grid& grid, const Vec3& x) {
  const double gap = wall_gap * grid.dx;
  return x.cwiseMax(Vec3(grid.origin.array() + gap)).cwiseMin(Vec3(grid.upper().array() - gap));
}

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

std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, Particles& particles) {
  if (surfaces.empty()) return 0;
  const double gap = surface_gap * grid.dx;
  // Move x out of one solid; returns whether x was inside.
  const auto leave = [&](std::size_t s, const Vec3& from, Vec3& x) {
    const Surface& surface = surfaces[s];
    if (surface.inflow || !surface.present) return false;
    const double phi = sample_cells(field.each[s].phi, grid.to_cells(x));
    if (phi > grid.dx) return false;  // the interpolant errs by less than a cell
    const double out = surface.container ? -1 : 1, reach = phi > -grid.dx ? 3 * grid.dx : INFINITY;
    ClosestPoint near = field.each[s].tree.closest(x, reach);
    if (near.tri < 0 || out * near.distance >= 0) return false;
    // Deep inside, the nearest side of a thin wall may be the far one: go back to the side that the particle came from.
    if (out * near.distance < -deep * grid.dx) {
      const Vec3 wall = dt * surface.at(surface.v, near.tri, near.bary), path = x - from - wall;
      for (int steps = 1; steps <= steps_back; ++steps) {  // more than one where the sides approach each other
        const ClosestPoint before = field.each[s].tree.closest(x - steps * path);
        if (out * before.distance <= 0) continue;
        const Vec3 there = before.point + out * gap * before.normal;
        if (kept_inside(grid, there) != there) break;  // that point lies outside the domain
        near = before;
        break;
      }
    }
    x = kept_inside(grid, near.point + out * gap * near.normal);
    return true;
  };
  return std::size_t(sum_blocks(particles.size(), [&](std::size_t begin, std::size_t end) {
    double moved = 0;
    for (std::size_t p = begin; p < end; ++p) {
      Vec3& x = particles.x[p];
      if (sample_cells(field.phi, grid.to_cells(x)) > grid.dx) continue;
      const Vec3& from = x_before[p];
      bool inside = false, again = true;
      for (int pass = 0; pass < 2 && again; ++pass) {  // the way out of one solid may lead into another
        again = false;
        for (std::size_t s = 0; s < surfaces.size(); ++s) again = leave(s, from, x) || again;
        inside = inside || again;
      }
      moved += inside;
    }
    return moved;
  }));
}

std::size_t remove_particles(Particles& particles, const std::vector<std::uint8_t>& gone) {
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    std::size_t kept = 0;
    for (std::size_t p = 0; p < values.size(); ++p)
      if (!gone[p]) values[kept++] = values[p];
    values.resize(kept);
  };
  const std::size_t before = particles.size();
  keep(particles.v);
  keep(particles.c);
  keep(particles.x);
  return before - particles.size();
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
