// The velocity inside solids: its part normal to the surface is the solid's. For the processor's loop (extrapolate.h)
// and for kernels.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/grid/solid_field.h"

#include <cmath>

namespace coracle {

// Whether the velocity of a face is to be replaced, and by what. phi: of all solids; `velocity`: of their surfaces per
// cell, read if they move; `fixed`: 1 where the velocity stays.
struct WallVelocity {
  bool found = false;
  double u = 0;
};
template <class Faces, class Field, class Marks, class Velocity>
CORACLE_BOTH WallVelocity wall_velocity(const Grid& grid, const Field& phi, const Velocity& velocity, bool moving,
                                        const Marks& fixed, const Faces& u, int axis, const Vec3i& face) {
  const CellsBeside cells = cells_beside(axis, face, grid.n);
  const std::size_t i = u[axis].index(face);
  if (fixed[axis].data[i] == 1 || phi[cells.lo] + phi[cells.hi] >= 0) return {};
  const Vec3 q = grid.to_cells(grid.face_center(axis, face));
  const Vec3 slope = cell_gradient(phi, q);
  const double length = slope.norm();
  if (length < 1e-3 * grid.dx) return {};  // far inside, where distances are clamped
  const Vec3 n = slope / length;
  Vec3 v = Vec3::Zero();
  if (moving) v = 0.5 * (velocity[cells.lo] + velocity[cells.hi]).template cast<double>();
  return {true, u[axis].data[i] - n[axis] * (sample_faces(u, q) - v).dot(n)};
}

// Whether a cell of the band has to look after the face above it along an axis: else the next cell does. Near a surface
// every face is the lower face of a cell in the band, except the outermost faces.
template <class Field>
CORACLE_BOTH bool ends_band(const Grid& grid, const Field& phi, int axis, const Vec3i& c) {
  if (c[axis] + 1 == grid.n[axis]) return true;
  Vec3i next = c;
  next[axis] += 1;
  return std::abs(phi[next]) == distance_band * grid.dx;
}

}  // namespace coracle
