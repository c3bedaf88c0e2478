#include "coracle/step/particles/push_out.h"

#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"

#include <cmath>

namespace coracle {
namespace {

constexpr double wall_gap = 1e-6;  // cells: a particle never lies exactly on the domain's side
constexpr double deep = 0.25;      // cells: deeper inside a solid than the error of paths
constexpr int steps_back = 3;
constexpr double surface_gap = 1e-2;  // cells: how far outside a solid a particle is put back

}  // namespace

Vec3 kept_inside(const Grid& grid, const Vec3& x) {
  const double gap = wall_gap * grid.dx;
  return x.cwiseMax(Vec3(grid.origin.array() + gap)).cwiseMin(Vec3(grid.upper().array() - gap));
}

std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, std::vector<Vec3>& places) {
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
  return std::size_t(sum_blocks(places.size(), [&](std::size_t begin, std::size_t end) {
    double moved = 0;
    for (std::size_t p = begin; p < end; ++p) {
      Vec3& x = places[p];
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

void remove_particles(Particles& particles, std::span<const std::uint32_t> gone) {
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    std::size_t first = 0, left = gone.size();  // of the gone: those whose place is still to be filled
    while (first < left) {
      if (values.size() - 1 == gone[left - 1])
        --left;
      else
        values[gone[first++]] = values.back();
      values.pop_back();
    }
  };
  keep(particles.v);
  keep(particles.c);
  keep(particles.x);
}

}  // namespace coracle
