// Probes of liquid at a place: the functions of particles/probes.h, liquid/probes.h and couple/grid_step.h, called
// there.
#pragma once

#include "coracle/step/body/measure.h"
#include "coracle/step/couple/grid_step.h"
#include "coracle/step/grid/inflows.h"
#include "coracle/step/liquid/device/state.h"
#include "coracle/step/liquid/probes.h"
#include "coracle/step/particles/probes.h"

#include <cmath>
#include <utility>

namespace coracle {

// Whether a particle counts as liquid: those in inflows do not yet.
struct OutsideInflows {
  SolidsView solids;
  const Vec3* x = nullptr;
  bool inflows = false;
  CORACLE_BOTH bool operator()(std::size_t p) const { return !inflows || !inside_inflow(solids, x[p]); }
};

template <class Place>
std::size_t count_outside(Place& place, const Body& body, const Grid& grid, const PlacedLiquid<Place>& liquid) {
  const TriTree hull(body.x, body.rest->skin.hull);
  typename Place::template Array<TreeNode> nodes;
  typename Place::template Array<TreeTri> tris;
  place.upload(hull.nodes().data(), hull.nodes().size(), nodes);
  place.upload(hull.tris().data(), hull.tris().size(), tris);
  const TreeView tree{nodes.data(), tris.data(), int(nodes.size())};
  const double half_diagonal = 0.5 * std::sqrt(3.0) * grid.dx;
  const std::uint32_t *const filled = liquid.cells.filled.data(), *const start = liquid.cell_start.data();
  const Vec3* const x = liquid.particles.x.data();
  return std::size_t(place.sum(liquid.cells.count, std::uint64_t(0), [=] CORACLE_KERNEL(std::size_t k) {
    const std::uint32_t cell = filled[k];
    return std::uint64_t(
        outside_in_cell(tree, half_diagonal, grid.center(cell_at(grid.n, cell)), x, start[cell], start[cell + 1]));
  }));
}

// m³; see liquid/probes.h.
template <class Place>
double volume_in_box(Place& place, const Grid& grid, const PosedBox& box, const OutsideInflows& counts,
                     const PlacedLiquid<Place>& liquid) {
  if (liquid.particles.count == 0) return 0;
  const double *const phi = liquid.fluid_phi.data.data(), *const open = liquid.solids.volume.data.data();
  const std::uint32_t* const start = liquid.cell_start.data();
  const double each = particle_volume(grid);
  return place.sum(liquid.fluid_phi.size(), 0.0, [=] CORACLE_KERNEL(std::size_t i) -> double {
    if (phi[i] < -0.5 * grid.dx)
      return box.share_of_cube(grid.center(cell_at(grid.n, i)), grid.dx) * open[i] * grid.cell_volume();
    double volume = 0;
    for (std::uint32_t p = start[i]; p < start[i + 1]; ++p)
      if (box.contains(counts.x[p]) && counts(p)) volume += each;
    return volume;
  });
}

// They read what they are given when they are called.
template <class Place>
FluidProbes probes_at(Place& place, const Grid& grid, const Surfaces& surfaces, const PlacedLiquid<Place>& liquid,
                      const PlacedArray3<Place, std::uint8_t>& active) {
  const View3<const double> phi = liquid.fluid_phi.view(), pressure = liquid.pressure.view();
  const View3<const std::uint8_t> wet = active.view();
  const FaceView<const double> u = liquid.u.view();
  const OutsideInflows counts{liquid.solids.view(), liquid.particles.x.data(), has_inflows(surfaces)};
  return {
      .pressure = [&place, grid, pressure,
                   wet](const Vec3& x) { return pressure_there(place, grid, pressure, wet, x); },
      .height = [&place, grid, phi](const Vec3& from,
                                    const Vec3& to) { return height_there(place, grid, phi, from, to); },
      .outside = [&place, grid, &liquid](const Body& body) { return double(count_outside(place, body, grid, liquid)); },
      .velocity = [&place, grid, u, phi](const Vec3& x) { return velocity_there(place, grid, u, phi, x); },
      .volume = [&place, grid, counts,
                 &liquid](const PosedBox& box) { return volume_in_box(place, grid, box, counts, liquid); }};
}

// One value, found at the place. Functions of their own, since a kernel may not stand in a lambda. Kernels get copies
// of what these are given.
template <class Place>
double pressure_there(Place& place, const Grid& grid, const View3<const double>& pressure,
                      const View3<const std::uint8_t>& active, const Vec3& x) {
  return place.sum(1, 0.0,
                   [=] CORACLE_KERNEL(std::size_t) -> double { return pressure_at(grid, pressure, active, x); });
}
template <class Place>
double height_there(Place& place, const Grid& grid, const View3<const double>& phi, const Vec3& from, const Vec3& to) {
  return place.sum(1, 0.0, [=] CORACLE_KERNEL(std::size_t) -> double { return wet_length(grid, phi, from, to); });
}
template <class Place>
Vec3 velocity_there(Place& place, const Grid& grid, const FaceView<const double>& u, const View3<const double>& phi,
                    const Vec3& x) {
  Vec3 found;
  for (int a = 0; a < 3; ++a)
    found[a] = place.sum(1, 0.0, [=] CORACLE_KERNEL(std::size_t) -> double { return velocity_in(grid, u, phi, x)[a]; });
  return found;
}

}  // namespace coracle
