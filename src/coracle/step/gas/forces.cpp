#include "coracle/step/gas/forces.h"

#include "coracle/base/for_cells.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace coracle {
namespace {

// Difference over two cells along an axis, one-sided at the sides; per cell.
template <class T>
auto difference(const Array3<T>& f, Vec3i c, int axis) {
  Vec3i lo = c, hi = c;
  lo[axis] = std::max(c[axis] - 1, 0), hi[axis] = std::min(c[axis] + 1, f.n[axis] - 1);
  const float length = float(std::max(hi[axis] - lo[axis], 1));
  return T((f[hi] - f[lo]) / length);
}

}  // namespace

void add_buoyancy(const Grid& grid, const GasOptions& options, const Vec3& gravity, const Gas& gas, double dt,
                  FaceField<double>& u) {
  for (int a = 0; a < 3; ++a) {
    if (gravity[a] == 0) continue;
    const double smoke = dt * gravity[a] * options.smoke_weight, heat = dt * gravity[a] * options.expansion;
    for_cells(u[a].n, [&](const Vec3i& f, std::size_t i) {
      const auto [lo, hi] = cells_beside(a, f, grid.n);
      const std::size_t l = gas.smoke.index(lo), h = gas.smoke.index(hi);
      u[a].data[i] += 0.5 * (smoke * (gas.smoke.data[l] + gas.smoke.data[h]) -
                             heat * (gas.temperature.data[l] + gas.temperature.data[h]));
    });
  }
}

void confine_vortices(const Grid& grid, double strength, const Array3<double>& volume, double dt,
                      FaceField<double>& u) {
  if (strength == 0) return;
  Array3<Vec3f> v(grid.n), curl(grid.n);
  Array3<float> size(grid.n, 0);
  const float per_m = float(1 / grid.dx);
  for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
    for (int a = 0; a < 3; ++a) v.data[i][a] = float(0.5 * (u[a][c] + u[a][c + Vec3i::Unit(a)]));
  });
  for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
    curl.data[i].setZero();
    if (volume.data[i] < 0.5) return;
    const Vec3f d[3] = {difference(v, c, 0), difference(v, c, 1), difference(v, c, 2)};
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, e = (a + 2) % 3;
      curl.data[i][a] = per_m * (d[b][e] - d[e][b]);
    }
    size.data[i] = curl.data[i].norm();
  });
  for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {  // v becomes the change of velocity
    Vec3f n(difference(size, c, 0), difference(size, c, 1), difference(size, c, 2));
    const float length = n.norm();
    v.data[i].setZero();
    if (volume.data[i] < 0.5 || !(length > 1e-6f * size.data[i])) return;
    v.data[i] = float(dt * strength * grid.dx) / length * n.cross(curl.data[i]);
  });
  for (int a = 0; a < 3; ++a)
    for_cells(u[a].n, [&](const Vec3i& f, std::size_t i) {
      if (f[a] > 0 && f[a] < grid.n[a]) u[a].data[i] += 0.5 * (v[f][a] + v[f - Vec3i::Unit(a)][a]);
    });
}

}  // namespace coracle
