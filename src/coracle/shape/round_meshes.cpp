#include "coracle/shape/tri_mesh.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int finest_ring = 4096;  // segments; finer than a grid resolves
constexpr int finest_tube = 512;

int segments(double length, double edge, int least, int most) {
  const double n = std::ceil(length / edge);
  return n >= most ? most : std::max(least, int(n));
}

}  // namespace

TriMesh torus_mesh(const Vec3& center, const Vec3& axis, double radius, double tube, double edge) {
  const int n = segments(2 * pi * (radius + tube), edge, 8, finest_ring);
  const int m = segments(2 * pi * tube, edge, 6, finest_tube);
  // n segments between half planes 2π/n apart; their cross-section is an m-gon centred on the circle. The volume is
  // n sin(2π/n) R · m/2 sin(2π/m) r², and r = tube · stretch makes it equal to that of the torus, 2π² R tube².
  const double stretch = std::sqrt(4 * pi * pi / (n * std::sin(2 * pi / n) * m * std::sin(2 * pi / m)));
  const Vec3 w = axis.normalized(), u = w.unitOrthogonal(), v = w.cross(u);
  TriMesh mesh;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * pi * i / n;
    const Vec3 out = std::cos(a) * u + std::sin(a) * v;
    for (int j = 0; j < m; ++j) {
      const double b = 2 * pi * j / m, r = tube * stretch;
      mesh.x.push_back(center + (radius + r * std::cos(b)) * out + r * std::sin(b) * w);
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const int here = i * m, next = (i + 1) % n * m, up = (j + 1) % m;
      mesh.tris.emplace_back(here + j, next + j, next + up);
      mesh.tris.emplace_back(here + j, next + up, here + up);
    }
  return mesh;
}

TriMesh hollow_sphere_mesh(const Vec3& center, double radius, double thickness, double edge) {
  TriMesh mesh = sphere_mesh(center, radius, edge);
  const TriMesh inner = sphere_mesh(center, radius - thickness, edge);
  const int first = int(mesh.x.size());
  mesh.x.insert(mesh.x.end(), inner.x.begin(), inner.x.end());
  for (const Vec3i& t : inner.tris) mesh.tris.emplace_back(first + t[0], first + t[2], first + t[1]);
  return mesh;
}

}  // namespace coracle
