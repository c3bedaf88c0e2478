// The regular grid: cubic cells of side dx, cell (i,j,k) between nodes (i,j,k) and (i+1,j+1,k+1).
// Face (axis, i,j,k) is the low face of cell (i,j,k) along that axis; there is one more layer of faces than of cells.
#pragma once

#include "coracle/array3.h"
#include "coracle/types.h"

#include <algorithm>
#include <array>

namespace coracle {

struct Grid {
  Vec3 origin = Vec3::Zero();  // m
  double dx = 1;               // m
  Vec3i n = Vec3i::Zero();     // cells

  CORACLE_BOTH Vec3 upper() const { return origin + dx * n.cast<double>(); }
  CORACLE_BOTH Vec3 center(const Vec3i& c) const { return origin + dx * (c.cast<double>().array() + 0.5).matrix(); }
  CORACLE_BOTH Vec3 face_center(int axis, const Vec3i& f) const {
    Vec3 x = center(f);
    x[axis] -= 0.5 * dx;
    return x;
  }
  CORACLE_BOTH Vec3i faces(int axis) const {
    Vec3i m = n;
    m[axis] += 1;
    return m;
  }
  // Position in cells from the origin.
  CORACLE_BOTH Vec3 to_cells(const Vec3& x) const { return (x - origin) / dx; }
  // The cell that holds x, clamped into the grid.
  CORACLE_BOTH Vec3i cell_of(const Vec3& x) const {
    const Vec3 q = to_cells(x);
    Vec3i c;
    for (int a = 0; a < 3; ++a) {
      const double f = std::floor(q[a]);
      c[a] = f < 0 ? 0 : f >= n[a] ? n[a] - 1 : int(f);
    }
    return c;
  }
  // Number of a cell, x fastest, as in Array3; and back.
  CORACLE_BOTH std::size_t cell_index(const Vec3i& c) const {
    return std::size_t(c.x()) + std::size_t(n.x()) * (std::size_t(c.y()) + std::size_t(n.y()) * c.z());
  }
  CORACLE_BOTH Vec3i cell_at(std::size_t index) const {
    const std::size_t row = index / n.x();
    return {int(index % n.x()), int(row % n.y()), int(row / n.y())};
  }
  CORACLE_BOTH double cell_volume() const { return dx * dx * dx; }
};

// The cells below and above a face along its axis; on the domain's sides both are the one cell there. n: cells.
struct CellsBeside {
  Vec3i lo, hi;
};
CORACLE_BOTH inline CellsBeside cells_beside(int axis, const Vec3i& face, const Vec3i& n) {
  CellsBeside cells{face, face};
  cells.lo[axis] = std::max(face[axis] - 1, 0);
  cells.hi[axis] = std::min(face[axis], n[axis] - 1);
  return cells;
}

// One value per face; one array per axis.
template <class T>
using FaceField = std::array<Array3<T>, 3>;

template <class T>
FaceField<T> make_face_field(const Grid& grid, T value = T()) {
  FaceField<T> field;
  for (int a = 0; a < 3; ++a) field[a].assign(grid.faces(a), value);
  return field;
}

}  // namespace coracle
