// What solids do to the velocity at a place, as extrapolate.h and inflows.h on the processor.
#pragma once

#include "coracle/step/grid/constrain.h"
#include "coracle/step/grid/device/solids.h"
#include "coracle/step/grid/inflows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace coracle {

// u = V inside inflows, and valid there.
template <class Place>
void set_inflow_velocity(Place& place, const PlacedSolids<Place>& solids, const FaceView<double>& u,
                         const FaceView<std::uint8_t>& valid) {
  for (const PlacedSolid<Place>& solid : solids.each) {
    if (!solid.view.inflow || !solid.view.present) continue;
    const View3<const double> phi = solid.view.phi;
    for (int a = 0; a < 3; ++a) {
      CellBox faces = solid.box;
      faces.hi[a] += 1;
      const double flow = solid.view.flow[a];
      const View3<double>& to = u[a];
      const View3<std::uint8_t>& mark = valid[a];
      place.for_each(faces.count(), [=] CORACLE_KERNEL(std::size_t i) {
        const Vec3i f = faces.cell(i);
        if (!inside_inflow(phi, a, f)) return;
        to[f] = flow;
        mark[f] = 1;
      });
    }
  }
}

// Faces where `fixed` is 1 are left alone. All velocities are found from those of before: first found, then written.
template <class Place>
void constrain(Place& place, const Grid& grid, const Surfaces& surfaces, const FaceView<const std::uint8_t>& fixed,
               const FaceView<double>& u, PlacedSolids<Place>& solids) {
  const bool moving = std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.moving; });
  const View3<const double> phi = std::as_const(solids.phi).view();
  std::size_t all = 0;
  for (const PlacedSolid<Place>& s : solids.each)
    if (s.view.present) all += s.band.size();
  if (all == 0) return;
  solids.walls.resize(6 * all);
  if (moving && solids.velocity.n != grid.n) clear(place, grid.n, solids.velocity);  // stays zero outside the bands
  const View3<Vec3f> velocity = solids.velocity.view();
  const double dx = grid.dx, none = std::numeric_limits<double>::quiet_NaN();
  // kernel(solid, its first band cell among all)
  const auto for_solids = [&](auto&& work) {
    std::size_t first = 0;
    for (const PlacedSolid<Place>& s : solids.each) {
      if (!s.view.present) continue;
      work(s, first);
      first += s.band.size();
    }
  };
  if (moving)
    for_solids([&](const PlacedSolid<Place>& s, std::size_t) {
      const SolidView solid = s.view;
      const int* const band = s.band.data();
      const SurfacePoint* const nearest = s.nearest.data();
      place.for_each(s.band.size(), [=] CORACLE_KERNEL(std::size_t b) {
        const int cell = band[b];
        if (solid.phi.data[cell] != phi.data[cell]) return;
        velocity.data[cell] =
            solid.velocity(nearest[b].tri, nearest[b].bary.template cast<double>()).template cast<float>();
      });
    });
  for_solids([&](const PlacedSolid<Place>& s, std::size_t first) {
    const View3<const double> own = s.view.phi;
    const int* const band = s.band.data();
    double* const walls = solids.walls.data() + 6 * first;
    place.for_each(s.band.size(), [=] CORACLE_KERNEL(std::size_t b) {
      const Vec3i c = own.cell(std::size_t(band[b]));
      const bool far = own.data[band[b]] > 2 * dx;  // its faces lie outside the solid
      for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
          double& to = walls[6 * b + 2 * a + side];
          to = none;
          if (far || (side == 1 && !ends_band(grid, phi, a, c))) continue;
          Vec3i f = c;
          f[a] += side;
          const WallVelocity wall = wall_velocity(grid, phi, velocity, moving, fixed, u, a, f);
          if (wall.found) to = wall.u;
        }
    });
  });
  for_solids([&](const PlacedSolid<Place>& s, std::size_t first) {
    const Vec3i n = grid.n;
    const int* const band = s.band.data();
    const double* const walls = solids.walls.data() + 6 * first;
    place.for_each(s.band.size(), [=] CORACLE_KERNEL(std::size_t b) {
      const Vec3i c = Shape3{n}.cell(std::size_t(band[b]));
      for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
          const double wall = walls[6 * b + 2 * a + side];
          if (std::isnan(wall)) continue;
          Vec3i f = c;
          f[a] += side;
          u[a][f] = wall;
        }
      if (moving) velocity.data[band[b]] = Vec3f::Zero();
    });
  });
}

}  // namespace coracle
