#include "coracle/shape/tri_mesh.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int finest_sphere = 200;   // parts per icosahedron edge: 800 k triangles, finer than a grid resolves
constexpr int finest_rim = 100'000;  // segments

// The unit icosahedron, each face cut into n² triangles and projected onto the sphere. A vertex is identified by the
// corners that it lies between and its weights, so that neighbouring faces share it.
TriMesh geodesic_sphere(int n) {
  const double g = std::numbers::phi;
  const std::array<Vec3, 12> corners = {{{-1, g, 0},
                                         {1, g, 0},
                                         {-1, -g, 0},
                                         {1, -g, 0},
                                         {0, -1, g},
                                         {0, 1, g},
                                         {0, -1, -g},
                                         {0, 1, -g},
                                         {g, 0, -1},
                                         {g, 0, 1},
                                         {-g, 0, -1},
                                         {-g, 0, 1}}};
  constexpr int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  TriMesh mesh;
  using Key = std::array<std::pair<int, int>, 3>;  // (corner, weight); weight zero: corner −1
  std::map<Key, int> known;
  const auto vertex = [&](const int* face, int i, int j) {
    Key key = {{{face[0], n - i - j}, {face[1], i}, {face[2], j}}};
    for (auto& [corner, weight] : key)
      if (weight == 0) corner = -1;
    std::sort(key.begin(), key.end());
    const auto [it, added] = known.try_emplace(key, int(mesh.x.size()));
    if (added) {
      Vec3 x = Vec3::Zero();
      for (const auto& [corner, weight] : key)
        if (corner >= 0) x += weight * corners[std::size_t(corner)];
      mesh.x.push_back(x.normalized());
    }
    return it->second;
  };
  for (const auto& face : faces)
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        mesh.tris.emplace_back(vertex(face, i, j), vertex(face, i + 1, j), vertex(face, i, j + 1));
        if (i + j + 1 < n)
          mesh.tris.emplace_back(vertex(face, i + 1, j), vertex(face, i + 1, j + 1), vertex(face, i, j + 1));
      }
  return mesh;
}

double longest_edge(const TriMesh& mesh) {
  double longest = 0;
  for (const Vec3i& t : mesh.tris)
    for (int a = 0; a < 3; ++a) longest = std::max(longest, (mesh.x[t[a]] - mesh.x[t[(a + 1) % 3]]).norm());
  return longest;
}

// Vertices 0 … n−1 are the low ring, n … 2n−1 the high ring, then the centres of the low and the high cap.
void add_prism_tris(TriMesh& mesh, int n) {
  const int low = 2 * n, high = 2 * n + 1;
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.tris.emplace_back(i, j, n + j);
    mesh.tris.emplace_back(i, n + j, n + i);
    mesh.tris.emplace_back(low, j, i);
    mesh.tris.emplace_back(high, n + i, n + j);
  }
}

}  // namespace

TriMesh box_mesh(const Vec3& lo, const Vec3& hi) {
  TriMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.x.emplace_back(corner & 1 ? hi.x() : lo.x(), corner & 2 ? hi.y() : lo.y(), corner & 4 ? hi.z() : lo.z());
  for (int a = 0; a < 3; ++a) {
    // Both sides normal to axis a; +a points out of the side that contains `top`.
    const int u = 1 << ((a + 1) % 3), v = 1 << ((a + 2) % 3), top = 1 << a;
    mesh.tris.emplace_back(top, top + u, top + u + v);
    mesh.tris.emplace_back(top, top + u + v, top + v);
    mesh.tris.emplace_back(0, u + v, u);
    mesh.tris.emplace_back(0, v, u + v);
  }
  return mesh;
}

TriMesh sphere_mesh(const Vec3& center, double radius, double edge) {
  // With n parts per edge, edges are between 1.05 r/n (near the corners) and about 1.25 r/n (in the middle) long.
  const double least = std::ceil(1.05 * radius / edge);
  int n = least >= finest_sphere ? finest_sphere : std::max(1, int(least));
  for (;; ++n) {
    TriMesh mesh = geodesic_sphere(n);
    const double scale = radius * std::cbrt(4 * pi / 3 / enclosed_volume(mesh));
    if (n >= finest_sphere || scale * longest_edge(mesh) <= edge) {
      transform(mesh, scale, Mat3::Identity(), center);
      return mesh;
    }
  }
}

TriMesh cylinder_mesh(const Vec3& center, const Vec3& axis, double radius, double height, double edge) {
  // Radius R of the n-gon with the area of the circle: n/2 R² sin(2π/n) = π r².
  const auto polygon_radius = [&](int n) { return radius * std::sqrt(2 * pi / (n * std::sin(2 * pi / n))); };
  const double least = std::ceil(2 * pi * radius / edge);
  int n = least >= finest_rim ? finest_rim : std::max(6, int(least));
  while (n < finest_rim && 2 * polygon_radius(n) * std::sin(pi / n) > edge) ++n;

  const Vec3 w = axis.normalized(), u = w.unitOrthogonal(), v = w.cross(u);
  const double r = polygon_radius(n);
  TriMesh mesh;
  for (const double side : {-0.5, 0.5})
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * pi * i / n;
      mesh.x.push_back(center + r * (std::cos(angle) * u + std::sin(angle) * v) + side * height * w);
    }
  for (const double side : {-0.5, 0.5}) mesh.x.push_back(center + side * height * w);
  add_prism_tris(mesh, n);
  return mesh;
}

TriMesh prism_mesh(const std::vector<Vec3>& outline, const Vec3& center, double z0, double z1) {
  TriMesh mesh;
  for (const double z : {z0, z1})
    for (const Vec3& p : outline) mesh.x.emplace_back(p.x(), p.y(), z);
  for (const double z : {z0, z1}) mesh.x.emplace_back(center.x(), center.y(), z);
  add_prism_tris(mesh, int(outline.size()));
  return mesh;
}

Mat3 rotation_xyz(const Vec3& degrees) {
  const Vec3 angle = degrees * pi / 180;
  return (Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(angle.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

void transform(TriMesh& mesh, double scale, const Mat3& rotation, const Vec3& translate) {
  for (Vec3& x : mesh.x) x = translate + rotation * (scale * x);
}

double enclosed_volume(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris) {
  if (x.empty()) return 0;
  const Vec3& o = x[0];  // near the surface, to keep precision if it is far from the origin
  double six = 0;
  for (const Vec3i& t : tris) six += (x[t[0]] - o).dot((x[t[1]] - o).cross(x[t[2]] - o));
  return six / 6;
}

double enclosed_volume(const TriMesh& mesh) { return enclosed_volume(mesh.x, mesh.tris); }

}  // namespace coracle
