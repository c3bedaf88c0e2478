// Trilinear interpolation between the samples of a grid, in arrays (array3.h, grid.h) or views (view3.h). Positions
// outside the samples are clamped to them.
#pragma once

#include "coracle/grid.h"

#include <algorithm>
#include <cmath>

namespace coracle {

// The eight samples around a position given in sample coordinates (sample (i,j,k) at (i,j,k)).
struct Corner8 {
  Vec3i base;   // lowest sample
  Vec3 frac;    // within [0,1]
  Vec3i upper;  // 1 where there is a next sample, else 0

  CORACLE_BOTH Corner8(const Vec3& q, const Vec3i& n) {
    for (int a = 0; a < 3; ++a) {
      const double c = std::clamp(q[a], 0.0, double(n[a] - 1));
      base[a] = std::min(int(c), std::max(n[a] - 2, 0));
      frac[a] = c - base[a];
      upper[a] = n[a] > 1 ? 1 : 0;
    }
  }
};

template <class Field>
CORACLE_BOTH double interpolate(const Field& f, const Vec3& q) {
  const Corner8 c(q, f.n);
  const std::size_t i = f.index(c.base), sx = c.upper.x(), sy = c.upper.y() * f.stride(1),
                    sz = c.upper.z() * f.stride(2);
  const auto along = [&](std::size_t at) { return (1 - c.frac.x()) * f.data[at] + c.frac.x() * f.data[at + sx]; };
  const auto plane = [&](std::size_t at) { return (1 - c.frac.y()) * along(at) + c.frac.y() * along(at + sy); };
  return (1 - c.frac.z()) * plane(i) + c.frac.z() * plane(i + sz);
}

// q: position in cells from the grid's origin.
template <class Field>
CORACLE_BOTH double sample_cells(const Field& f, const Vec3& q) {
  return interpolate(f, Vec3(q.array() - 0.5));
}

template <class Field>
CORACLE_BOTH double sample_face(const Field& f, int axis, const Vec3& q) {
  Vec3 s = q.array() - 0.5;
  s[axis] += 0.5;
  return interpolate(f, s);
}

// Along one axis: the lower of two samples, the step to the next one, and the weight of the next one.
struct Between {
  std::size_t at, step;
  double share;
  CORACLE_BOTH Between(double q, int n, std::size_t stride) {
    const double c = std::clamp(q, 0.0, double(n - 1));
    const int base = std::min(int(c), std::max(n - 2, 0));
    at = base * stride, step = n > 1 ? stride : 0, share = c - base;
  }
};

template <class Faces>
CORACLE_BOTH Vec3 sample_faces(const Faces& u, const Vec3& q) {
  Vec3 v;
  for (int a = 0; a < 3; ++a) {
    const Vec3i& n = u[a].n;
    const std::size_t row = n.x(), layer = row * n.y();
    const Between x(q.x() - (a == 0 ? 0 : 0.5), n.x(), 1), y(q.y() - (a == 1 ? 0 : 0.5), n.y(), row),
        z(q.z() - (a == 2 ? 0 : 0.5), n.z(), layer);
    const auto* f = &u[a].data[0] + x.at + y.at + z.at;
    const auto along = [&](const auto* p) { return p[0] + x.share * (p[x.step] - p[0]); };
    const auto plane = [&](const auto* p) {
      const double low = along(p);
      return low + y.share * (along(p + y.step) - low);
    };
    const double low = plane(f);
    v[a] = low + z.share * (plane(f + z.step) - low);
  }
  return v;
}

// Gradient of the trilinear interpolant of cell-centred values, per cell.
template <class Field>
CORACLE_BOTH Vec3 cell_gradient(const Field& f, const Vec3& q) {
  Vec3 g;
  for (int a = 0; a < 3; ++a) {
    const Vec3 h = 0.5 * Vec3::Unit(a);
    g[a] = sample_cells(f, q + h) - sample_cells(f, q - h);
  }
  return g;
}

}  // namespace coracle
