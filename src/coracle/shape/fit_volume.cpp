#include "coracle/shape/fit_volume.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_mesh.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <vector>

namespace coracle {
namespace {

constexpr int coarse = 16;    // cells of the finest level along a block of the coarsest
constexpr double most = 0.1;  // of an edge, that a vertex may move
constexpr int iterations = 6;
constexpr double close = 1e-10;  // of the volume

// The volume inside of a cube with its middle at x.
double inside(const std::function<double(const Vec3&)>& distance, const Vec3& x, double side, int halvings) {
  const double d = distance(x);
  if (d >= 0.87 * side) return 0;  // half the diagonal is 0.866 of the side
  if (d <= -0.87 * side) return side * side * side;
  if (halvings == 0) return side * side * side * std::clamp(0.5 - d / side, 0.0, 1.0);
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 to(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    sum += inside(distance, x + side / 4 * to, side / 2, halvings - 1);
  }
  return sum;
}

}  // namespace

double volume_inside(const std::function<double(const Vec3&)>& distance, const Vec3& lo, const Vec3& hi, double size) {
  const double side = coarse * size;
  const Vec3i n = ((hi - lo) / side).array().ceil().max(1).cast<int>();
  const std::size_t blocks = std::size_t(n.x()) * n.y() * n.z();
  return sum_blocks(
      blocks,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t b = begin; b < end; ++b) {
          const std::size_t row = b / n.x(), layer = row / n.y();
          const Vec3 at(double(b % n.x()), double(row % n.y()), double(layer));
          sum += inside(distance, lo + side * (at.array() + 0.5).matrix(), side, 4);
        }
        return sum;
      },
      1);
}

void fit_volume(const std::function<double(const Vec3&)>& distance, double volume, double edge, TetMesh& mesh) {
  const std::vector<Vec3i> tris = boundary_triangles(mesh);
  std::vector<Vec3> normal(mesh.x.size(), Vec3::Zero());
  std::vector<double> depth(mesh.x.size(), 0), area(mesh.x.size(), 0);
  for (const Vec3i& t : tris) {
    const Vec3 a = 0.5 * (mesh.x[t[1]] - mesh.x[t[0]]).cross(mesh.x[t[2]] - mesh.x[t[0]]);
    const double below = -distance((mesh.x[t[0]] + mesh.x[t[1]] + mesh.x[t[2]]) / 3), size = a.norm();
    for (const int v : t) normal[v] += a, depth[v] += size * below, area[v] += size;
  }
  // Ways of the vertices for a share of 1: their mean depth.
  std::vector<Vec3> way(mesh.x.size(), Vec3::Zero());
  double longest = 0;
  for (std::size_t v = 0; v < way.size(); ++v) {
    if (area[v] == 0 || normal[v].norm() == 0) continue;
    way[v] = depth[v] / area[v] * normal[v].normalized();
    longest = std::max(longest, way[v].norm());
  }
  if (!(longest > 1e-6 * edge)) return;
  const std::vector<Vec3> start = mesh.x;
  const double limit = most * edge / longest;
  const auto volume_at = [&](double share) {
    for (std::size_t v = 0; v < way.size(); ++v) mesh.x[v] = start[v] + share * way[v];
    return volume_of(mesh.x, mesh.tets);
  };
  // The secant method.
  double last = 0, last_error = volume_at(0) - volume, share = std::min(1.0, limit);
  for (int i = 0; i < iterations; ++i) {
    const double error = volume_at(share) - volume;
    if (std::abs(error) <= close * volume || error == last_error) break;
    const double next = std::clamp(share - error * (share - last) / (error - last_error), -limit, limit);
    last = share, last_error = error, share = next;
  }
  volume_at(share);
}

}  // namespace coracle
