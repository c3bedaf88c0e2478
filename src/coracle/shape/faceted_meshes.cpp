#include "coracle/shape/faceted_meshes.h"

#include "coracle/shape/thin_meshes.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

TriMesh faceted_box_mesh(const Vec3& lo, const Vec3& hi, double edge) {
  const Vec3i n(parts_of_length(hi.x() - lo.x(), edge), parts_of_length(hi.y() - lo.y(), edge),
                parts_of_length(hi.z() - lo.z(), edge));
  TriMesh mesh;
  std::map<std::array<int, 3>, int> known;  // by place in the lattice: sides share their edges
  const auto vertex = [&](const Vec3i& p) {
    const auto [it, added] = known.try_emplace({p.x(), p.y(), p.z()}, int(mesh.x.size()));
    if (added) mesh.x.push_back(lo + p.cast<double>().cwiseQuotient(n.cast<double>()).cwiseProduct(hi - lo));
    return it->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const bool top : {false, true}) {
      // u × v points out of the side.
      const int u = (axis + (top ? 1 : 2)) % 3, v = (axis + (top ? 2 : 1)) % 3;
      for (int j = 0; j < n[v]; ++j)
        for (int i = 0; i < n[u]; ++i) {
          Vec3i p = Vec3i::Zero();
          p[axis] = top ? n[axis] : 0;
          const auto at = [&](int di, int dj) {
            p[u] = i + di, p[v] = j + dj;
            return vertex(p);
          };
          const int a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
          add_cell(a, b, c, d, (i + j) % 2 == 1, mesh.tris);
        }
    }
  return mesh;
}

// A cap is a centre and rings of 6, 12, 18 … vertices, so that its triangles are nearly equilateral. The wall has as
// many columns as the last ring.
TriMesh faceted_cylinder_mesh(const Vec3& center, const Vec3& axis, double radius, double height, double edge) {
  const int rings = parts_of_length(radius * pi / 3, edge), columns = 6 * rings;
  const int rows = parts_of_length(height, edge);
  // Radius R of the n-gon with the area of the circle: n/2 R² sin(2π/n) = π r².
  const double out = radius * std::sqrt(2 * pi / (columns * std::sin(2 * pi / columns)));
  const Vec3 w = axis.normalized(), u = w.unitOrthogonal(), v = w.cross(u);
  TriMesh mesh;
  const auto add_ring = [&](int count, double r, double at) {
    const int first = int(mesh.x.size());
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * pi * i / count;
      mesh.x.push_back(center + at * w + r * (std::cos(angle) * u + std::sin(angle) * v));
    }
    return first;
  };

  // The wall, from the low rim to the high rim.
  for (int row = 0; row <= rows; ++row) add_ring(columns, out, (double(row) / rows - 0.5) * height);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < columns; ++i) {
      const int here = row * columns, next = (i + 1) % columns;
      add_cell(here + i, here + next, here + columns + next, here + columns + i, (row + i) % 2 == 1, mesh.tris);
    }

  // The caps. Between two rings, each of six sectors has k edges inside and k + 1 outside. The low cap is the mirror
  // image of the high one.
  for (const bool top : {false, true}) {
    const double at = (top ? 0.5 : -0.5) * height;
    const auto add = [&](int a, int b, int c) { mesh.tris.emplace_back(a, top ? b : c, top ? c : b); };
    int inner = add_ring(1, 0, at);
    for (int k = 0; k < rings; ++k) {
      const int in = std::max(1, 6 * k), more = 6 * (k + 1);
      const int outer = k + 1 < rings ? add_ring(more, out * (k + 1) / rings, at) : top ? rows * columns : 0;
      for (int sector = 0; sector < 6; ++sector)
        for (int j = 0; j <= k; ++j) {
          const int from = inner + (sector * k + j) % in, to = inner + (sector * k + j + 1) % in;
          const int first = outer + sector * (k + 1) + j, second = outer + (sector * (k + 1) + j + 1) % more;
          add(from, first, second);
          if (j < k) add(from, second, to);
        }
      inner = outer;
    }
  }
  return mesh;
}

}  // namespace coracle
