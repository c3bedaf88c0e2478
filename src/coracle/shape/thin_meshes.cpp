#include "coracle/shape/thin_meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace coracle {

double expected_parts(double length, double most) {
  constexpr double round_off = 1e-9;  // 1.1 m in parts of 0.1 m are 11, not 12
  return std::max(1.0, std::ceil(length / most * (1 - round_off)));
}

int parts_of_length(double length, double most) {
  constexpr double too_many = 1e7;
  const double parts = expected_parts(length, most);
  if (!(parts <= too_many))
    throw std::runtime_error(
        fmt::format("{:.3g} m cannot be in parts of {:.3g} m; make the parts longer", length, most));
  return int(parts);
}

void add_cell(int a, int b, int c, int d, bool odd, std::vector<Vec3i>& tris) {
  if (odd) {
    tris.emplace_back(a, b, d);
    tris.emplace_back(b, c, d);
  } else {
    tris.emplace_back(a, b, c);
    tris.emplace_back(a, c, d);
  }
}

TriMesh rectangle_mesh(const Vec3& center, const Vec3& along, const Vec3& across, double edge) {
  const int n = parts_of_length(along.norm(), edge), m = parts_of_length(across.norm(), edge);
  TriMesh mesh;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i)
      mesh.x.push_back(center + (double(i) / n - 0.5) * along + (double(j) / m - 0.5) * across);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = c - 1;  // around the cell
      add_cell(a, b, c, d, (i + j) % 2 == 1, mesh.tris);
    }
  return mesh;
}

LineMesh divided(const LineMesh& lines, double edge) {
  LineMesh mesh;
  std::vector<int> number(lines.x.size(), -1);
  const auto add = [&](const Vec3& x) {
    mesh.x.push_back(x);
    return int(mesh.x.size()) - 1;
  };
  const auto visit = [&](int node) {
    if (number[node] < 0) number[node] = add(lines.x[node]);
    return number[node];
  };
  for (const auto& [a, b] : lines.segments) {
    const Vec3 along = lines.x[b] - lines.x[a];
    const int parts = parts_of_length(along.norm(), edge);
    int last = visit(a);
    for (int i = 1; i <= parts; ++i) {
      const int next = i < parts ? add(lines.x[a] + double(i) / parts * along) : visit(b);
      mesh.segments.push_back({last, next});
      last = next;
    }
  }
  return mesh;
}

LineMesh net_mesh(const Vec3& center, const Vec3& along, const Vec3& across, double spacing, double edge) {
  const int n = parts_of_length(along.norm(), spacing), m = parts_of_length(across.norm(), spacing);
  LineMesh crossings;
  const auto at = [n](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i)
      crossings.x.push_back(center + (double(i) / n - 0.5) * along + (double(j) / m - 0.5) * across);
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i < n; ++i) crossings.segments.push_back({at(i, j), at(i + 1, j)});
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < m; ++j) crossings.segments.push_back({at(i, j), at(i, j + 1)});
  return divided(crossings, edge);
}

LineMesh line_mesh(const std::vector<Vec3>& points, double edge) {
  if (points.size() < 2) throw std::runtime_error("a line needs two points");
  const bool loop = points.front() == points.back();
  LineMesh corners{points, {}};
  for (int i = 0; i + 1 < int(points.size()); ++i) {
    if (points[i] == points[i + 1])
      throw std::runtime_error(fmt::format("points {} and {} of the line are equal; leave one out", i + 1, i + 2));
    corners.segments.push_back({i, i + 1});
  }
  if (loop && points.size() < 4)
    throw std::runtime_error(
        "the line ends where it starts, and a loop needs three different points or more; add points, or leave out the "
        "last");
  if (loop) corners.segments.back()[1] = 0;
  return divided(corners, edge);
}

}  // namespace coracle
